/** The tabs of a server's page, as they stand in the address. */
const SERVER_TABS = [
  'overview',
  'tools',
  'resources',
  'prompts',
  'log',
  'traffic',
  'figures',
  'configuration',
  'history',
] as const

/** One tab of a server's page. */
export type ServerTab = (typeof SERVER_TABS)[number]

/** Whether a word of the address names a tab. */
export function isServerTab(word: string): word is ServerTab {
  return SERVER_TABS.some((tab) => tab === word)
}
