# The agent alone, from the pinned and hashed list; nothing in it needs root. With --build-arg COMPILE=1 its hot modules
# are compiled, by a compiler that the image does not keep.
FROM python:3.12-slim AS build
ARG COMPILE=0
WORKDIR /src
COPY . .
RUN python -m venv /opt/groundwire \
 && python scripts/pins.py otlp > pins.txt \
 && /opt/groundwire/bin/pip install --no-cache-dir --no-deps --require-hashes -r pins.txt
# What builds the wheel stays behind, in an environment of its own.
RUN if [ "$COMPILE" = 1 ]; then apt-get update -qq && apt-get install -y -qq --no-install-recommends gcc libc6-dev; fi \
 && python -m venv /opt/build \
 && python scripts/pins.py compiled > build.txt \
 && /opt/build/bin/pip install --no-cache-dir --no-deps --require-hashes -r build.txt \
 && GROUNDWIRE_COMPILE=$COMPILE /opt/build/bin/pip wheel --no-deps --no-build-isolation --wheel-dir wheels . \
 && /opt/groundwire/bin/pip install --no-cache-dir --no-deps wheels/*.whl

FROM python:3.12-slim
COPY --from=build /opt/groundwire /opt/groundwire
ENV PATH=/opt/groundwire/bin:$PATH
# The volume gets the owner of the directory. The configuration is for you to mount; it has to say who may come in.
RUN install -d -o 10001 -g 10001 -m 700 /var/lib/groundwire \
 && install -d /etc/groundwire \
 && touch /etc/groundwire/groundwire.yaml
USER 10001:10001
VOLUME /var/lib/groundwire
EXPOSE 4317 4318 8080
HEALTHCHECK --interval=10s --timeout=5s --start-period=5m --retries=6 CMD ["python", "-c", "import http.client; c = http.client.HTTPConnection('127.0.0.1', 8080, timeout=4); c.request('GET', '/healthz'); assert c.getresponse().status == 200"]
ENTRYPOINT ["groundwire"]
# Loopback in a container cannot be reached. Without a token, or allow_unauthenticated, the agent says so and ends.
CMD ["run", "--config", "/etc/groundwire/groundwire.yaml", "--data", "/var/lib/groundwire", \
     "--set", "http.host=0.0.0.0", \
     "--set", "receive.otlp_http.host=0.0.0.0", \
     "--set", "receive.otlp_grpc.host=0.0.0.0"]
