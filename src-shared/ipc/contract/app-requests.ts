import * as z from 'zod'

import { PathKind } from '../../domain/path-kind'
import { AppState } from '../../domain/state/app-state'
import { OpenedLink } from '../../domain/state/opened-link'
import { Settings, SettingsChange } from '../../domain/state/settings'
import type { RequestChannel } from '../channels'
import type { Shapes } from './refs'

/** The app itself and its settings. */
export const appRequests = {
  'app.snapshot': { input: z.object({}), output: AppState },
  'app.dismissNotice': { input: z.object({ noticeId: z.string() }), output: z.void() },
  /** The person is done with the link that the app was opened with. */
  'app.dropLink': { input: OpenedLink.pick({ linkId: true }), output: z.void() },
  /** Null when the person cancelled; NOT_AVAILABLE_HERE in the browser. */
  'app.pickPath': {
    input: z.object({ kind: z.enum(['folder', 'file']) }),
    output: z.string().nullable(),
  },
  /** What is at a path that is being typed; answers within about 1 s. */
  'app.checkPath': { input: z.object({ path: z.string().max(4_096) }), output: PathKind },
  'settings.update': { input: SettingsChange, output: Settings },
} satisfies Partial<Record<RequestChannel, Shapes>>
