#!/usr/bin/env bash
# Places and routes the coprocessor for an iCEBreaker, in both forms, and with the wide core for a
# ULX3S (half an hour), and records its resources and its clock.
set -euo pipefail
cd "$(dirname "$0")/../.."

boards=machines/mobile/rtl/boards
OUT=bench/results/mobile-place.json $boards/place.sh spi
OUT=bench/results/mobile-round-place.json $boards/place.sh spi round
OUT=bench/results/mobile-wide-place.json $boards/place-wide.sh
