import * as z from 'zod'

import { SecretText } from '../../domain/installation/stored-secret'
import { PathKind } from '../../domain/path-kind'
import { AppState } from '../../domain/state/app-state'
import { NetworkView } from '../../domain/state/network-view'
import { OpenedLink } from '../../domain/state/opened-link'
import { Settings, SettingsChange } from '../../domain/state/settings'
import { command, request } from './refs'

/** Requests on the app itself and its settings. */
export const appRequests = {
  'app.snapshot': request(z.object({}), AppState),
  'app.dismissNotice': command(z.object({ noticeId: z.string() })),
  /** Ends every tab of the browser way in, including the caller's; NOT_AVAILABLE_HERE on the desktop. */
  'app.signOutTabs': command(z.object({})),
  /** Drops the link that the app was opened with. */
  'app.dropLink': command(OpenedLink.pick({ linkId: true })),
  /** Null if the user cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': request(z.object({ kind: z.enum(['folder', 'file']) }), z.string().nullable()),
  /** What a path that is being typed points to; responds within about 1 s. */
  'app.checkPath': request(z.object({ path: z.string().max(4_096) }), PathKind),
  /** Shows the app's log in the system's file manager; NOT_AVAILABLE_HERE in the browser. */
  'app.showLog': command(z.object({})),
  /** Diagnostics as JSON that the user reads before sending it; known secrets are masked. */
  'app.diagnostics': request(z.object({}), z.object({ text: z.string() })),
  /** Resolves when the check and a subsequent download have ended; the state has the result. Rejects with NOT_AVAILABLE_HERE. */
  'app.checkForUpdates': command(z.object({})),
  /** Like `app.checkForUpdates`. */
  'app.downloadUpdate': command(z.object({})),
  /** Rejects with NOT_AVAILABLE_HERE, NOT_FOUND, CALLS_RUNNING or UPDATE_REJECTED. */
  'app.restartToUpdate': command(z.object({})),
  /** Shows the settings file in the system's file manager if there is one; otherwise only its path is useful. */
  'settings.showFile': request(z.object({}), z.object({ path: z.string(), isShown: z.boolean() })),
  'settings.update': request(SettingsChange, Settings),
  /** Reads the certificate files again. */
  'network.read': request(z.object({}), NetworkView),
  /**
   * Saves the password of the configured proxy, for that address and user name only; null deletes it. Rejects with INVALID_REQUEST,
   * SECRET_STORE_FAILED or SETTINGS_UNWRITABLE.
   */
  'network.setPassword': command(z.object({ password: SecretText.nullable() })),
}
