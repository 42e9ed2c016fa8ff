# what a test of the page says where there is no Node.js
message(FATAL_ERROR "Node.js was missing when this build was configured: run scripts/setup (Debian: nodejs, npm, chromium), then cmake again")
