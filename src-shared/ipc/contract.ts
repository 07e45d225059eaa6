import * as z from 'zod'

import { ActivityState } from '../domain/activity'
import { AgentsState } from '../domain/agent'
import type { AppErrorShape } from '../domain/app-error'
import { AppNotice, SecretStoreState, ServerView } from '../domain/app-state'
import { CatalogState } from '../domain/catalog-state'
import { HostsState } from '../domain/host'
import { InstallationId } from '../domain/installation'
import { OpenedLink } from '../domain/opened-link'
import { Question } from '../domain/question'
import { Settings } from '../domain/settings'
import { SecretDirectory } from '../domain/stored-secret'
import { ToolsState } from '../domain/tools'
import { TrialProgress } from '../domain/trial'
import type { EventChannel, RequestChannel } from './channels'
import { agentRequests } from './requests/agent-requests'
import { appRequests } from './requests/app-requests'
import { catalogRequests } from './requests/catalog-requests'
import { configurationRequests } from './requests/configuration-requests'
import { hostRequests } from './requests/host-requests'
import { installationRequests } from './requests/installation-requests'
import { questionRequests } from './requests/question-requests'
import type { Shapes } from './requests/refs'
import { secretRequests } from './requests/secret-requests'
import { serverRequests } from './requests/server-requests'
import { signInRequests } from './requests/sign-in-requests'
import { toolRequests } from './requests/tool-requests'
import { trafficRequests } from './requests/traffic-requests'
import { trialRequests } from './requests/trial-requests'

/** Every request of the app; each topic has a file of its own. */
export const requests = {
  ...agentRequests,
  ...appRequests,
  ...catalogRequests,
  ...configurationRequests,
  ...hostRequests,
  ...installationRequests,
  ...questionRequests,
  ...secretRequests,
  ...serverRequests,
  ...signInRequests,
  ...toolRequests,
  ...trafficRequests,
  ...trialRequests,
} satisfies Record<RequestChannel, Shapes>

const Revision = z.object({ revision: z.number().int() })

export const events = {
  /** `place` is where it stands in the list; a new one without stands last. */
  'server.changed': Revision.extend({
    server: ServerView,
    place: z.number().int().nonnegative().optional(),
  }),
  'server.removed': Revision.extend({ installationId: InstallationId }),
  'notices.changed': Revision.extend({ notices: z.array(AppNotice) }),
  'settings.changed': Revision.extend({ settings: Settings }),
  'secretStore.changed': Revision.extend({ secretStore: SecretStoreState }),
  'secrets.changed': Revision.extend({ secrets: SecretDirectory }),
  'catalog.changed': Revision.extend({ catalog: CatalogState }),
  'tools.changed': Revision.extend({ tools: ToolsState }),
  'questions.changed': Revision.extend({ questions: z.array(Question) }),
  'agents.changed': Revision.extend({ agents: AgentsState }),
  'activity.changed': Revision.extend({ activity: ActivityState }),
  'hosts.changed': Revision.extend({ hosts: HostsState }),
  'link.changed': Revision.extend({ link: OpenedLink.nullable() }),
  /** Lines came, or were let go. */
  'log.grew': z.object({ servers: z.array(InstallationId) }),
  'trial.progress': TrialProgress,
  /** A resource that is watched has changed. */
  'trial.updated': z.object({ installationId: InstallationId, uri: z.string() }),
} satisfies Record<EventChannel, z.ZodType>

export type RequestInput<C extends RequestChannel> = z.input<(typeof requests)[C]['input']>
export type ParsedInput<C extends RequestChannel> = z.output<(typeof requests)[C]['input']>
export type RequestOutput<C extends RequestChannel> = z.output<(typeof requests)[C]['output']>
export type EventPayload<C extends EventChannel> = z.output<(typeof events)[C]>

/** The answer to a request: expected failures cross as data. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape }

/** What the preload exposes as `window.bridge`, and what the browser way in rebuilds over its socket. */
export type Bridge = {
  readonly requests: {
    readonly [C in RequestChannel]: (input: RequestInput<C>) => Promise<Reply<RequestOutput<C>>>
  }
  readonly events: {
    readonly [C in EventChannel]: (listener: (payload: EventPayload<C>) => void) => () => void
  }
}
