import * as z from 'zod'

import { SecretText } from '../../domain/installation/stored-secret'
import { PathKind } from '../../domain/path-kind'
import { AppState } from '../../domain/state/app-state'
import { NetworkView } from '../../domain/state/network-view'
import { OpenedLink } from '../../domain/state/opened-link'
import { Settings, SettingsChange } from '../../domain/state/settings'
import type { Shapes } from './refs'

/** The app itself and its settings. */
export const appRequests = {
  'app.snapshot': { input: z.object({}), output: AppState },
  'app.dismissNotice': { input: z.object({ noticeId: z.string() }), output: z.void() },
  /** Ends every tab of the browser way in, the caller's too; NOT_AVAILABLE_HERE on the desktop. */
  'app.signOutTabs': { input: z.object({}), output: z.void() },
  /** The user is done with the link that the app was opened with. */
  'app.dropLink': { input: OpenedLink.pick({ linkId: true }), output: z.void() },
  /** Null when the user cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': {
    input: z.object({ kind: z.enum(['folder', 'file']) }),
    output: z.string().nullable(),
  },
  /** What is at a path that is being typed; answers within about 1 s. */
  'app.checkPath': { input: z.object({ path: z.string().max(4_096) }), output: PathKind },
  /** Shows the log of the app in the system's file manager; NOT_AVAILABLE_HERE in the browser. */
  'app.showLog': { input: z.object({}), output: z.void() },
  /** What helps to find a fault, as JSON to be read before it is sent; known secrets are masked. */
  'app.diagnostics': { input: z.object({}), output: z.object({ text: z.string() }) },
  /** Resolves when the check, and a download that follows, is over; the state says how. Rejects with NOT_AVAILABLE_HERE. */
  'app.checkForUpdates': { input: z.object({}), output: z.void() },
  /** As `app.checkForUpdates`. */
  'app.downloadUpdate': { input: z.object({}), output: z.void() },
  /** Rejects with NOT_AVAILABLE_HERE, NOT_FOUND, CALLS_RUNNING or UPDATE_REJECTED. */
  'app.restartToUpdate': { input: z.object({}), output: z.void() },
  /** Shows the settings file in the system's file manager where there is one; otherwise its path alone is of use. */
  'settings.showFile': {
    input: z.object({}),
    output: z.object({ path: z.string(), isShown: z.boolean() }),
  },
  'settings.update': { input: SettingsChange, output: Settings },
  /** Looks at the files of certificates again. */
  'network.read': { input: z.object({}), output: NetworkView },
  /** Keeps the password of the proxy that the settings name, for that address and user name alone; null forgets it. Rejects with INVALID_REQUEST, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  'network.setPassword': {
    input: z.object({ password: SecretText.nullable() }),
    output: z.void(),
  },
} satisfies Record<string, Shapes>
