#!/bin/sh
# Makes up the secrets of a new Turncoat, in the form NAME=value, on standard output. Keep what it says: who loses them
# has to have everybody log in again. It needs nothing but a shell.
#
#   k8s/new-secrets.sh > .env                                for docker-compose.yaml
#   k8s/new-secrets.sh > k8s/examples/single/secrets.env     for Kubernetes
set -eu

if [ -t 1 ]; then
  echo "Send this to a file, as the first lines of $0 say, so that it does not stay on the screen." >&2
  exit 1
fi

# Nobody else on this machine needs to read it.
if [ -f /dev/stdout ]; then chmod 600 /dev/stdout; fi

random() {
  od -An -N32 -tx1 /dev/urandom | tr -d ' \n'
}

echo "TURNCOAT_TOKEN_KEYS=first:$(random)"
echo "TURNCOAT_ID_SECRET=$(random)"
echo "STORE_PASSWORD=$(random)"
