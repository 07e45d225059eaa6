import * as z from 'zod'

import { ToolRunProgress } from '../domain/agents/tool-run'
import type { AppErrorShape } from '../domain/app-error'
import { InstallationId } from '../domain/installation/installation'
import { AppState, ServerView } from '../domain/state/app-state'
import { agentRequests } from './contract/agent-requests'
import { appRequests } from './contract/app-requests'
import { catalogRequests } from './contract/catalog-requests'
import { configurationRequests } from './contract/configuration-requests'
import { hostRequests } from './contract/host-requests'
import { installationRequests } from './contract/installation-requests'
import { messageRequests } from './contract/message-requests'
import type { Shapes } from './contract/refs'
import { secretRequests } from './contract/secret-requests'
import { serverRequests } from './contract/server-requests'
import { signInRequests } from './contract/sign-in-requests'
import { toolRequests } from './contract/tool-requests'
import { toolRunRequests } from './contract/tool-run-requests'
import { userRequestRequests } from './contract/user-request-requests'
import { vetRequests } from './contract/vet-requests'
import { viewRequests } from './contract/view-requests'

/** Every request of the app; each topic has its own file. */
export const requests = {
  ...agentRequests,
  ...appRequests,
  ...catalogRequests,
  ...configurationRequests,
  ...hostRequests,
  ...installationRequests,
  ...userRequestRequests,
  ...secretRequests,
  ...serverRequests,
  ...signInRequests,
  ...toolRequests,
  ...messageRequests,
  ...toolRunRequests,
  ...viewRequests,
  ...vetRequests,
} satisfies Record<string, Shapes>

const Revision = AppState.pick({ revision: true })

/** Payload of every event. */
export const events = {
  /** `place` is the index in the list; a new server without one is appended. */
  'server.changed': Revision.extend({
    server: ServerView,
    place: z.number().int().nonnegative().optional(),
  }),
  'server.removed': Revision.extend({ installationId: InstallationId }),
  'notices.changed': AppState.pick({ revision: true, notices: true }),
  'settings.changed': AppState.pick({ revision: true, settings: true }),
  'secretStore.changed': AppState.pick({ revision: true, secretStore: true }),
  'secrets.changed': AppState.pick({ revision: true, secrets: true }),
  'catalog.changed': AppState.pick({ revision: true, catalog: true }),
  'tools.changed': AppState.pick({ revision: true, tools: true }),
  'userRequests.changed': AppState.pick({ revision: true, userRequests: true }),
  'agents.changed': AppState.pick({ revision: true, agents: true }),
  'activity.changed': AppState.pick({ revision: true, activity: true }),
  'hosts.changed': AppState.pick({ revision: true, hosts: true }),
  'link.changed': AppState.pick({ revision: true, link: true }),
  /** A menu, the tray or a notification opens a page of the app, such as `/servers`. */
  'place.opened': z.object({ place: z.string() }),
  'appUpdate.changed': AppState.pick({ revision: true, appUpdate: true }),
  /** Lines were added or dropped. */
  'log.grew': z.object({ servers: z.array(InstallationId) }),
  'toolRun.progress': ToolRunProgress,
  /** A watched resource changed. */
  'toolRun.updated': z.object({ installationId: InstallationId, uri: z.string() }),
} satisfies Record<string, z.ZodType>

export type RequestChannel = keyof typeof requests
export type EventChannel = keyof typeof events

export type RequestInput<C extends RequestChannel> = z.input<(typeof requests)[C]['input']>
export type ParsedInput<C extends RequestChannel> = z.output<(typeof requests)[C]['input']>
export type RequestOutput<C extends RequestChannel> = z.output<(typeof requests)[C]['output']>
export type EventPayload<C extends EventChannel> = z.output<(typeof events)[C]>

/** One event for every window and socket. */
export type StateEvent = {
  [C in EventChannel]: { readonly channel: C; readonly payload: EventPayload<C> }
}[EventChannel]

/** Response to a request: expected failures are data. */
export type Reply<T> = { ok: true; value: T } | { ok: false; error: AppErrorShape }

/** What the preload exposes as `window.bridge`, and what the browser way in implements over its socket. */
export type Bridge = {
  readonly requests: {
    readonly [C in RequestChannel]: (input: RequestInput<C>) => Promise<Reply<RequestOutput<C>>>
  }
  readonly events: {
    readonly [C in EventChannel]: (listener: (payload: EventPayload<C>) => void) => () => void
  }
  /** Path of a file that the user dropped on the window; browsers do not reveal it. */
  readonly pathOfFile?: (file: unknown) => string
}
