# One image, two commands: `npm run web` (default) and `npm run worker`. Migrations are a step of
# their own (`npm run migrate`), never part of a web start. See compose.yaml.

FROM node:20-bookworm-slim AS deps
WORKDIR /srv/reelmill
COPY package.json package-lock.json .npmrc ./
RUN npm ci

FROM node:20-bookworm-slim AS production-deps
WORKDIR /srv/reelmill
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev

FROM deps AS build
COPY . .
RUN node scripts/prisma.mjs generate && node scripts/build.mjs

FROM node:20-bookworm-slim
ENV NODE_ENV=production HOST=0.0.0.0 DATA_DIR=/var/lib/reelmill
WORKDIR /srv/reelmill
COPY --from=production-deps /srv/reelmill/node_modules node_modules
COPY --from=build /srv/reelmill/node_modules/.prisma node_modules/.prisma
COPY --from=build /srv/reelmill/build build
COPY --from=build /srv/reelmill/public public
COPY package.json prisma.config.ts ./
COPY prisma prisma
COPY scripts scripts
RUN mkdir -p "$DATA_DIR" && chown node:node "$DATA_DIR"
USER node
VOLUME /var/lib/reelmill
EXPOSE 3000
CMD ["npm", "run", "web"]
