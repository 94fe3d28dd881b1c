#!/usr/bin/env bash
# Trains the models that come along, each with its task's defaults: data/models/make.sh [ATTNLAB]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
attnlab=$(readlink -f "${1:-../../build/release/attnlab}")
for task in reverse dictionary induction sense agreement topic text; do
  "$attnlab" train "$task" --no-figure --quiet --save-model "$task.safetensors"
done
