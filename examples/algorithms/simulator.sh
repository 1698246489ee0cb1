# SPDX-License-Identifier: MIT
# Fly the same ten ships for ten seconds, with three responses to collisions
for response in bounce tumble teleport; do
  nearmiss run --seconds 10 --clock work --tree sah --response $response \
    --record $response.session > $response.txt
  echo "$response: $(grep --only-matching '[0-9]* began' $response.txt)"
done

# Repeat a recorded flight and compare every frame
nearmiss replay --validate tumble.session | grep every
