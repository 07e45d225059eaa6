/** What Playwright switches off itself, as far as it matters without other traffic: of several such switches the last one counts. */
const OFF_BY_PLAYWRIGHT = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades'],
  ...['HttpsFirstBalancedModeAutoEnable', 'LensOverlay', 'MediaRouter', 'PaintHolding'],
  ...['ThirdPartyStoragePartitioning', 'AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints'],
  ...['NetworkTimeServiceQuerying', 'AimEnabled', 'PreconnectToSearch'],
]

/** What Chromium makes ready for each window ahead of its time (the list below its address bar, a process for another site): a third of the processor time of a test. */
const NEVER_SEEN = [
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['PreloadTopChromeWebUI', 'SpareRendererForSitePerProcess'],
]

/** How Chromium is started under test, beside Playwright's own switches. */
export const CHROMIUM_ARGS: readonly string[] = [
  `--disable-features=${[...OFF_BY_PLAYWRIGHT, ...NEVER_SEEN].join(',')}`,
]
