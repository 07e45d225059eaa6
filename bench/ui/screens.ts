import { SHOWN_CARD } from '../catalog/shown-cards'

/** A screen of the sidebar: where it is, its heading, and what shows that its content is drawn. */
export type Screen = { readonly hash: string; readonly title: string; readonly content: string }

/** All screens of the sidebar, in its order. */
export const SCREENS: readonly Screen[] = [
  { hash: '#/', title: 'Home', content: '.home-grid table.servers tbody tr' },
  { hash: '#/catalog', title: 'Catalog', content: SHOWN_CARD },
  { hash: '#/servers', title: 'Servers', content: '#main table.servers tbody .switch' },
  { hash: '#/tools', title: 'Tools', content: '.tool-row' },
  { hash: '#/apps', title: 'Apps', content: '#main table tbody tr' },
  { hash: '#/activity', title: 'Activity', content: '.call-hit, #main .blank' },
  { hash: '#/settings', title: 'Settings', content: '.setting-section .field' },
]

/** Runs in the page: whether a screen is there with its content and without any skeleton. */
export const IS_DRAWN = `({ title, content }) =>
  document.querySelector('#main h1')?.textContent === title &&
  document.querySelector(content) !== null &&
  document.querySelector('#main .bones') === null`
