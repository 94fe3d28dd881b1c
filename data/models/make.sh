#!/usr/bin/env bash
# Trains the models that come along, each with its task's defaults: data/models/make.sh [ATTNLAB]
set -euo pipefail
cd "$(dirname "$(readlink -f "${BASH_SOURCE[0]}")")"
attnlab=$(readlink -f "${1:-../../build/release/attnlab}")
for task in reverse dictionary induction sense agreement topic text; do
  "$attnlab" train "$task" --no-figure --quiet --save-model "$task.safetensors"
done
for language in en ja; do  # a minute and a half each on two cores
  "$attnlab" train world --language "$language" --no-figure --quiet --save-model "world.$language.safetensors"
done
for language in ja fr; do
  "$attnlab" train translate --to "$language" --no-figure --quiet --save-model "translate.en-$language.safetensors"
done
