# The agent alone, from the pinned and hashed list; nothing in it needs root.
FROM python:3.12-slim AS build
WORKDIR /src
COPY . .
RUN python -m venv /opt/groundwire \
 && python scripts/pins.py otlp > pins.txt \
 && /opt/groundwire/bin/pip install --no-cache-dir --no-deps --require-hashes -r pins.txt \
 && /opt/groundwire/bin/pip install --no-cache-dir --no-deps --no-build-isolation .

FROM python:3.12-slim
COPY --from=build /opt/groundwire /opt/groundwire
ENV PATH=/opt/groundwire/bin:$PATH
USER 10001:10001
VOLUME /var/lib/groundwire
EXPOSE 4317 4318 8080
ENTRYPOINT ["groundwire"]
CMD ["run", "--data", "/var/lib/groundwire"]
