# One image for every process of the product; which one is its argument: `docker run carillon auth`.

# `@sha256:…` pins Node's image; deploy/pin.sh finds it out, and compose hands it on.
ARG CARILLON_NODE_DIGEST=

# The packages are fetched again only when one of these files has changed.
FROM node:24-bookworm-slim${CARILLON_NODE_DIGEST} AS manifests
WORKDIR /app
COPY package.json package-lock.json ./
COPY apps apps
COPY libs libs
RUN find apps libs -type f ! -name package.json -delete && find apps libs -type d -empty -delete

FROM node:24-bookworm-slim${CARILLON_NODE_DIGEST} AS build
WORKDIR /app
COPY --from=manifests /app ./
# Where the packages come from a registry of one's own: `--secret id=npmrc,src=…`, and `id=ca` for its authority.
RUN --mount=type=cache,target=/root/.npm --mount=type=secret,id=npmrc,target=/root/.npmrc --mount=type=secret,id=ca \
    if [ -s /run/secrets/ca ]; then export NODE_EXTRA_CA_CERTS=/run/secrets/ca; fi; \
    npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
COPY . .
# The packages are in the bundles, but for the few that read files of their own.
RUN npm run build && node libs/devtools/src/outside.ts /needed

FROM node:24-bookworm-slim${CARILLON_NODE_DIGEST}
LABEL org.opencontainers.image.title="Carillon" org.opencontainers.image.licenses="Apache-2.0"
ENV NODE_ENV=production \
    CARILLON_OPS_HOST=0.0.0.0 CARILLON_OPS_PORT=9464 \
    CARILLON_HTTP_HOST=0.0.0.0 CARILLON_HOST=0.0.0.0 CARILLON_PHONE_HOST=0.0.0.0 \
    CARILLON_CONSOLE_DIR=/app/site
WORKDIR /app
COPY LICENSE deploy/start.sh deploy/health.sh ./
COPY --from=build /needed/node_modules node_modules
COPY --from=build /app/dist dist
COPY --from=build /app/apps/console/dist/site site
# Only the store, the simulator and a demo keep files.
RUN rm -rf dist/standalone && find . -name .stamp -delete && install -d -o node -g node -m 700 /data /files && install -d -o node -g node .compiled
USER node
# Code that is compiled once: a process starts a third faster.
ENV NODE_COMPILE_CACHE=/app/.compiled
RUN for name in auth org device provisioning resource task notification license gateway mqtt-gateway install; do ./start.sh $name --print-config >/dev/null; done
EXPOSE 8080 8081 1883 9464
HEALTHCHECK --interval=10s --timeout=5s --start-period=60s CMD ["/app/health.sh", "livez"]
ENTRYPOINT ["/app/start.sh"]
