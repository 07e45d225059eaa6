import type { HostApp } from './host-app'
import { COMMAND_LINES } from './host-apps/command-lines'
import { DESKTOP_APPS } from './host-apps/desktop-apps'
import { EDITOR_EXTENSIONS } from './host-apps/editor-extensions'
import { EDITORS } from './host-apps/editors'

/** The agent apps whose files are known, by their makers' texts; `docs/hosts.md` says what was left out. */
export const HOST_APPS: readonly HostApp[] = [
  ...DESKTOP_APPS,
  ...EDITORS,
  ...COMMAND_LINES,
  ...EDITOR_EXTENSIONS,
]
