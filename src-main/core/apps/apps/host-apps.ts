import { COMMAND_LINES } from './command-lines'
import { DESKTOP_APPS } from './desktop-apps'
import { EDITOR_EXTENSIONS } from './editor-extensions'
import { EDITORS } from './editors'
import type { HostApp } from './host-app'

/** The agent apps whose files are known, by their makers' texts; `docs/apps.md` says what was left out. */
export const HOST_APPS: readonly HostApp[] = [
  ...DESKTOP_APPS,
  ...EDITORS,
  ...COMMAND_LINES,
  ...EDITOR_EXTENSIONS,
]
