#!/usr/bin/env bash
# Trains the contrasts that `attnlab claims` decides by, seeds 0 to 4: data/contrasts/make.sh [ATTNLAB]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
attnlab=$(readlink -f "${1:-../../build/release/attnlab}")
for contrast in scaling positions encoding heads norm rate; do
  "$attnlab" train contrast --of "$contrast" --no-figure --quiet --data "$contrast.json"
done
