# One image, two commands: `npm run web` (default) and `npm run worker`. Migrations are a
# separate step (`npm run migrate`), never part of a web start. See compose.yaml.
#
#   docker build --build-arg PREVIEW=no .   # without the preview renderer: see docs/operations/image.md
ARG NODE=node:26.10.0-bookworm-slim@sha256:662933cf47f013bc8e4beb31a6116448427a82057ba7c42c97e4c5ba766504c2

FROM ${NODE} AS deps
WORKDIR /srv/reelmill
COPY package.json package-lock.json .npmrc ./
RUN npm ci

FROM ${NODE} AS production-deps
ARG PREVIEW=yes
WORKDIR /srv/reelmill
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev
COPY scripts scripts
RUN if [ "$PREVIEW" = no ]; then node scripts/slim.mjs --without-preview; else node scripts/slim.mjs; fi

FROM deps AS build
COPY . .
RUN node scripts/build.mjs

FROM ${NODE}
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/var/lib/reelmill
WORKDIR /srv/reelmill
COPY --from=production-deps /srv/reelmill/node_modules node_modules
COPY --from=build /srv/reelmill/node_modules/.prisma node_modules/.prisma
COPY --from=build /srv/reelmill/build build
COPY --from=build /srv/reelmill/public public
COPY package.json prisma.config.ts LICENSE THIRD_PARTY_NOTICES ./
COPY prisma prisma
COPY scripts scripts
RUN mkdir -p "$DATA_DIR" && chown node:node "$DATA_DIR"
USER node
VOLUME /var/lib/reelmill
EXPOSE 3000
# For the web server. A worker responds at WORKER_METRICS_PORT, so compose.yaml replaces this check.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
CMD ["npm", "run", "web"]
