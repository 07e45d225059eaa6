abi <abi/4.0>,
include <tunables/global>

# Ubuntu 24.04 and later give user namespaces, and with them Chromium's sandbox, only to programs with a profile.
profile "${executable}" "/opt/${sanitizedProductName}/patchbay-desktop" flags=(unconfined) {
  userns,

  include if exists <local/${executable}>
}
