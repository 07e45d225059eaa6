import { type JSX, type ReactNode, useId } from 'react'

import type { InstanceView } from '../../../src-shared/domain/running/instances'
import type { Sharing } from '../../../src-shared/domain/sharing'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import type { StartPolicy, ToolChanges } from '../../../src-shared/domain/tool-choice'
import { serverActions } from '../../components/server/actions'
import { useServerTools } from '../../stores/tools-store'
import { Segmented } from '../../ui/controls/choice'
import { WarnText } from '../../ui/fields/field'
import { visibleText } from '../../ui/text/untrusted-text'

type Props = { readonly server: ServerView }

function Choice<T extends string>(props: {
  readonly label: string
  readonly value: T
  readonly options: readonly { readonly value: T; readonly label: string }[]
  readonly description: string
  readonly onChange: (value: T) => void
  readonly children?: ReactNode
}): JSX.Element {
  const { label, value, options, description, onChange, children } = props
  const hintId = useId()
  return (
    <div className="facts grid items-baseline text-faint">
      <span>{label}</span>
      <div>
        <Segmented
          label={label}
          value={value}
          options={options}
          aria-describedby={hintId}
          onValueChange={onChange}
        />
        <p id={hintId} className="mt-1 text-small text-muted">
          {description}
        </p>
        {children}
      </div>
    </div>
  )
}

const STARTS = {
  withApp: ['At launch', 'Runs while Patchbay is open.'],
  onFirstUse: [
    'On demand',
    'Apps see the tools from the last start. The first call starts the server.',
  ],
  byHand: ['Manually', 'Only you start the server. Tool calls fail while the server is stopped.'],
} as const satisfies Record<StartPolicy, readonly [label: string, description: string]>

const CHANGES = {
  review: ['Review', 'New and changed tools wait until you approve them.'],
  follow: [
    'Follow',
    'Apps get new and changed tools without a review. Choose this only for a server you trust.',
  ],
} as const satisfies Record<ToolChanges, readonly [label: string, description: string]>

const SHARING = [
  { value: 'shared', label: 'Shared' },
  { value: 'perApp', label: 'Per app' },
  { value: 'perSession', label: 'Per session' },
] as const satisfies readonly { value: Sharing; label: string }[]

function optionsOf<T extends string>(
  texts: Readonly<Record<T, readonly [label: string, description: string]>>,
): readonly { readonly value: T; readonly label: string }[] {
  return (Object.keys(texts) as T[]).map((value) => ({ value, label: texts[value][0] }))
}

/** The choice when a server starts; takes effect at the next start. */
export function StartPolicyChoice(props: Props): JSX.Element | null {
  const { installationId, enabled } = props.server
  const starts = useServerTools(installationId)?.starts
  if (starts === undefined) return null
  return (
    <Choice
      label="Starts"
      value={starts}
      options={optionsOf(STARTS)}
      description={
        enabled ? STARTS[starts][1] : 'A server that is turned off starts only when you start it.'
      }
      onChange={(next) => void serverActions.setStarts(installationId, next)}
    />
  )
}

/** The choice whether a server may change its tools without a review. */
export function ToolChangesChoice({ server: { installationId } }: Props): JSX.Element | null {
  const changes = useServerTools(installationId)?.changes
  if (changes === undefined) return null
  return (
    <Choice
      label="Tool changes"
      value={changes}
      options={optionsOf(CHANGES)}
      description={CHANGES[changes][1]}
      onChange={(next) => void serverActions.setChanges(installationId, next)}
    />
  )
}

/** The choice which apps share a server's process and its state. */
export function SharingChoice({ server }: Props): JSX.Element {
  const { installationId, name, sharing, holdsState } = server
  return (
    <Choice
      label="Processes"
      value={sharing}
      options={SHARING}
      description={sharingMessage(server)}
      onChange={(next) => void serverActions.setSharing(installationId, next)}
    >
      <WarnText>
        {holdsState && sharing === 'shared'
          ? `${name} seems to keep state, such as an open page or a shell. To keep apps apart, choose Per app.`
          : undefined}
      </WarnText>
    </Choice>
  )
}

const REMOTE = ['streamable-http', 'sse']

const OWNERS: Readonly<Record<Exclude<Sharing, 'shared'>, string>> = {
  perApp: 'Each app gets its own',
  perSession: 'Each session of an app, such as a window, gets its own',
}

/** Returns the meaning of the choice as sentences. */
export function sharingMessage(props: Pick<ServerView, 'sharing' | 'registryType'>): string {
  const { sharing, registryType } = props
  const what = REMOTE.includes(registryType) ? 'session with the server' : 'process'
  if (sharing === 'shared') return `All apps use one ${what} and see its state.`
  return `${OWNERS[sharing]} ${what}, with the app’s open folders, at its first call. It ends after 10 minutes without a call, and at most 8 run.`
}

/** Returns the name of a process: "Cursor #2", as in the log. */
export function instanceName({ agent, instanceId }: InstanceView): string {
  return `${visibleText(agent)} #${String(instanceId)}`
}

/** Returns the details of a process: its status unless ready, whether one session uses it, and its pid. */
export function instanceText({ isOfSession, pid, status }: InstanceView): string {
  return [
    isOfSession ? 'one session' : 'all sessions',
    ...(pid === undefined ? [] : [`pid ${String(pid)}`]),
    ...(STATUS[status] === undefined ? [] : [STATUS[status]]),
  ].join(', ')
}

const STATUS: Partial<Record<InstanceView['status'], string>> = {
  starting: 'starting',
  stopping: 'stopping',
  backingOff: 'retrying',
  error: 'failed',
  paused: 'failed',
  signInNeeded: 'sign-in needed',
}
