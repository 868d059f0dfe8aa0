# The service, without a store: set REDIS_URL, TURNCOAT_TOKEN_KEYS and TURNCOAT_ID_SECRET. docs/operations.md has more.
#
# Both stages begin with the same base, so what is built with one Python runs with it.
ARG BASE=docker.io/library/python:3.13.16-slim-trixie@sha256:bf44cdfcb76cd3b41e879bc058fc37ec5872002ccfde7fcb765e218cde0cd79c

FROM ${BASE} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 PIP_ROOT_USER_ACTION=ignore
WORKDIR /build
# Wheels only, each with a hash of the lock file: nothing is compiled, and nothing that was not locked gets in.
COPY requirements.txt ./
RUN --mount=type=secret,id=pip.conf,target=/etc/pip.conf \
    python -m pip download --quiet --no-deps --only-binary :all: --require-hashes --requirement requirements.txt --dest wheels
COPY pyproject.toml README.md LICENSE ./
COPY engine engine
COPY service service
# From here on the wheels are all there is. The project's own dependencies choose among them, so neither the embedded
# store nor the build tools come along. Traces are in the image, and off until they are asked for.
RUN python -m pip wheel --quiet --no-index --find-links wheels --no-deps --wheel-dir wheels . \
 && python -m venv --without-pip /opt/turncoat \
 && python -m pip --python /opt/turncoat install --quiet --no-index --find-links wheels --no-compile 'turncoat[traces]' \
 && /opt/turncoat/bin/python -m compileall -q -j 0 --invalidation-mode unchecked-hash /opt/turncoat/lib

FROM ${BASE}
# Nothing here can install or compile anything, and no file gives its caller more rights. The standard library is
# compiled once, since nobody can write into the image what Python would otherwise compile at every start.
RUN library=$(python -c 'import sysconfig; print(sysconfig.get_path("stdlib"))') \
 && rm -rf "$library"/ensurepip "$library"/idlelib "$library"/tkinter "$library"/turtledemo \
      "$library"/site-packages/* /usr/local/bin/pip* /usr/local/bin/idle* \
 && find / -xdev -type f -perm /6000 -exec chmod ug-s {} + \
 && python -m compileall -q -j 0 --invalidation-mode unchecked-hash "$library" \
 && groupadd --gid 10001 turncoat \
 && useradd --uid 10001 --gid 10001 --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin turncoat
COPY --from=build /opt/turncoat /opt/turncoat
ENV PATH=/opt/turncoat/bin:$PATH \
    PYTHONDONTWRITEBYTECODE=1 \
    PYTHONUNBUFFERED=1 \
    TURNCOAT_HOST=0.0.0.0 \
    TURNCOAT_PORT=8080
ARG VERSION=1.0.0
ARG REVISION=unknown
LABEL org.opencontainers.image.title="Turncoat" \
      org.opencontainers.image.description="An HTTP service that hosts hidden-allegiance card games" \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.version="${VERSION}" \
      org.opencontainers.image.revision="${REVISION}"
USER 10001:10001
WORKDIR /
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 CMD ["python", "-m", "service.probe"]
ENTRYPOINT ["turncoat"]
CMD ["serve"]
