-- CreateTable
CREATE TABLE "prompts" (
    "id" UUID NOT NULL,
    "text" TEXT NOT NULL,
    "copy_count" INTEGER NOT NULL DEFAULT 0,
    "skip_count" INTEGER NOT NULL DEFAULT 0,
    "is_current" BOOLEAN NOT NULL DEFAULT false,
    "is_pinned" BOOLEAN NOT NULL DEFAULT false,
    "current_on" DATE,
    "last_current_at" TIMESTAMPTZ(6),
    "created_at" TIMESTAMPTZ(6) NOT NULL DEFAULT CURRENT_TIMESTAMP,

    CONSTRAINT "prompts_pkey" PRIMARY KEY ("id")
);

-- CreateTable
CREATE TABLE "prompt_choices" (
    "user_id" UUID NOT NULL,
    "prompt_id" UUID NOT NULL,
    "instead_of" UUID NOT NULL,
    "day" DATE NOT NULL,

    CONSTRAINT "prompt_choices_pkey" PRIMARY KEY ("user_id")
);

-- CreateIndex
CREATE INDEX "prompt_choices_prompt_id_idx" ON "prompt_choices"("prompt_id");

-- AddForeignKey
ALTER TABLE "prompt_choices" ADD CONSTRAINT "prompt_choices_user_id_fkey" FOREIGN KEY ("user_id") REFERENCES "users"("id") ON DELETE CASCADE ON UPDATE CASCADE;

-- AddForeignKey
ALTER TABLE "prompt_choices" ADD CONSTRAINT "prompt_choices_prompt_id_fkey" FOREIGN KEY ("prompt_id") REFERENCES "prompts"("id") ON DELETE CASCADE ON UPDATE CASCADE;


-- From here on: what the schema language cannot say.

-- At most one prompt is current; that there is one is up to app/domain/prompts and an invariant.
CREATE UNIQUE INDEX "prompts_current_key" ON "prompts" ("is_current") WHERE "is_current";
CREATE INDEX "prompts_turn_idx" ON "prompts" ("last_current_at" NULLS FIRST, "created_at", "id");
ALTER TABLE "prompts"
  ADD CONSTRAINT "prompts_pin_check" CHECK ("is_current" OR NOT "is_pinned"),
  ADD CONSTRAINT "prompts_text_check" CHECK ("text" <> '');
