import * as z from 'zod'

import { SecretText } from '../../domain/installation/stored-secret'
import { PathKind } from '../../domain/path-kind'
import { AppState } from '../../domain/state/app-state'
import { NetworkView } from '../../domain/state/network-view'
import { OpenedLink } from '../../domain/state/opened-link'
import { Settings, SettingsChange } from '../../domain/state/settings'
import { command, request } from './refs'

/** The app itself and its settings. */
export const appRequests = {
  'app.snapshot': request(z.object({}), AppState),
  'app.dismissNotice': command(z.object({ noticeId: z.string() })),
  /** Ends every tab of the browser way in, the caller's too; NOT_AVAILABLE_HERE on the desktop. */
  'app.signOutTabs': command(z.object({})),
  /** The user is done with the link that the app was opened with. */
  'app.dropLink': command(OpenedLink.pick({ linkId: true })),
  /** Null when the user cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': request(z.object({ kind: z.enum(['folder', 'file']) }), z.string().nullable()),
  /** What is at a path that is being typed; answers within about 1 s. */
  'app.checkPath': request(z.object({ path: z.string().max(4_096) }), PathKind),
  /** Shows the log of the app in the system's file manager; NOT_AVAILABLE_HERE in the browser. */
  'app.showLog': command(z.object({})),
  /** What helps to find a fault, as JSON to be read before it is sent; known secrets are masked. */
  'app.diagnostics': request(z.object({}), z.object({ text: z.string() })),
  /** Resolves when the check, and a download that follows, is over; the state says how. Rejects with NOT_AVAILABLE_HERE. */
  'app.checkForUpdates': command(z.object({})),
  /** As `app.checkForUpdates`. */
  'app.downloadUpdate': command(z.object({})),
  /** Rejects with NOT_AVAILABLE_HERE, NOT_FOUND, CALLS_RUNNING or UPDATE_REJECTED. */
  'app.restartToUpdate': command(z.object({})),
  /** Shows the settings file in the system's file manager where there is one; otherwise its path alone is of use. */
  'settings.showFile': request(z.object({}), z.object({ path: z.string(), isShown: z.boolean() })),
  'settings.update': request(SettingsChange, Settings),
  /** Looks at the files of certificates again. */
  'network.read': request(z.object({}), NetworkView),
  /** Keeps the password of the proxy that the settings name, for that address and user name alone; null forgets it. Rejects with INVALID_REQUEST, SECRET_STORE_FAILED or SETTINGS_UNWRITABLE. */
  'network.setPassword': command(z.object({ password: SecretText.nullable() })),
}
