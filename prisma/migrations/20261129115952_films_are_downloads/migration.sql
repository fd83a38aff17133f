-- Films are made when they are asked for, and kept for an hour without a row.

-- locks: no release has had this table, and nothing of this version uses it
DROP TABLE "film_clips";

-- locks: no release has had this table, and nothing of this version uses it
DROP TABLE "films";

-- locks: no release has had this type, and nothing of this version uses it
DROP TYPE "film_state";
