/** Features that Playwright itself disables, if they matter without other traffic: of repeated switches the last one counts. */
const OFF_BY_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/** Things that Chromium prepares for each window (its address bar's list, a spare process): a third of a test's processor time. */
const NEVER_SEEN = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
]

/** Chromium's switches under test, besides Playwright's own. */
export const CHROMIUM_ARGS: readonly string[] = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...NEVER_SEEN].join(',')}`,
]
