/** A screen of the sidebar: its address, heading, and a selector of rendered content. */
export type Screen = { readonly hash: string; readonly title: string; readonly content: string }

/** All screens of the sidebar, in order. */
export const SCREENS: readonly Screen[] = [
  { hash: '#/', title: 'Home', content: '#main table tbody tr' },
  { hash: '#/catalog', title: 'Catalog', content: '#main [data-index]' },
  { hash: '#/servers', title: 'Servers', content: '#main table [role=switch]' },
  { hash: '#/tools', title: 'Tools', content: '#main [data-index]' },
  { hash: '#/apps', title: 'Apps', content: '#main table tbody tr' },
  {
    hash: '#/activity',
    title: 'Activity',
    content: '#main [data-index], #main [data-testid=blank]',
  },
  { hash: '#/settings', title: 'Settings', content: '#main [data-testid=settings-block]' },
]

/** Runs in the page: whether a screen shows its content without any skeleton. */
export const IS_DRAWN = `({ title, content }) =>
  document.querySelector('#main h1')?.textContent === title &&
  document.querySelector(content) !== null &&
  document.querySelector('#main [data-testid=skeleton]') === null`
