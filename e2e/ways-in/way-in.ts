/** How a whole-app test opens Patchbay. */
export type WayIn = 'browser' | 'double' | 'electron'
