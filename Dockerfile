# syntax=docker/dockerfile:1

FROM node:24-bookworm-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY src/adapters/extraction/stubs src/adapters/extraction/stubs
# Node is there already, and what is generated needs the sources.
RUN npm ci --ignore-scripts
COPY prisma.config.ts codegen.ts tsconfig.json tsconfig.build.json build.ts ./
COPY prisma prisma
COPY schema schema
COPY src src
RUN npm run generate && npm run build && npm prune --omit=dev --ignore-scripts
# Only debuggers and compilers read these: nearly half of it.
RUN find node_modules -type f \( -name '*.map' -o -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' \) -delete

FROM node:24-bookworm-slim
# Cuts recordings that are too long for one transcription.
RUN apt-get update \
  && apt-get install -y --no-install-recommends ffmpeg \
  && rm -rf /var/lib/apt/lists/*
ENV NODE_ENV=production HOST=0.0.0.0 PORT=4000 DATA_DIR=/data
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/prisma prisma
COPY --from=build /app/schema schema
RUN mkdir /data && chown node:node /data && ln -s /app/dist/cli/main.js /usr/local/bin/filequery
VOLUME /data
USER node
EXPOSE 4000
# Not /ready: while the database is away a restart would not help.
HEALTHCHECK --interval=10s --timeout=3s --start-period=60s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# No npm in between: it would keep SIGTERM for itself.
ENTRYPOINT ["filequery"]
CMD ["serve"]
