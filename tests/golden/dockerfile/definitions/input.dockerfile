# syntax=docker/dockerfile:1
ARG VERSION=3

# Compiles it.
FROM --platform=$BUILDPLATFORM golang:1.22 AS build
WORKDIR /src
COPY . .
RUN go build -o /out/app

from scratch as final-image
COPY --from=build /out/app /app
ENTRYPOINT ["/app"]
