import { Info, RotateCw } from 'lucide-react'
import { type JSX, type ReactNode, useEffect, useRef, useState } from 'react'
import { useLocation } from 'wouter'

import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { ServerView as Server } from '../../../src-shared/domain/state/app-state'
import { reconnectAction, runActions, serverActions } from '../../components/server/actions'
import { LiveStatusText, phaseInterval } from '../../components/server/live-status-text'
import { NoServer } from '../../components/server/no-servers'
import { ServerMenu, SuggestedButton } from '../../components/server/server-menu'
import { cancelSignIn, openSignIn } from '../../components/server/sign-in-actions'
import { registryStatusMessage } from '../../components/status/registry-messages'
import { StatusBadge } from '../../components/status/status-badge'
import { offersSignIn, reconnectMessage, SIGN_IN } from '../../components/status/status-messages'
import { reviewText } from '../../components/tool/tool-messages'
import { reviewPath } from '../../components/tool/tool-paths'
import { useNow, useServer } from '../../stores/app-store'
import { useServerTools } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Segmented } from '../../ui/controls/choice'
import { Disclosure } from '../../ui/controls/disclosure'
import { Tabs } from '../../ui/controls/tabs'
import { Banner, Page } from '../../ui/layout/page'
import { Tile } from '../../ui/marks/tile'
import { counted } from '../../ui/text/format'
import { LOG_VIEWS, type LogView, SERVER_TABS, type ServerView, tabOf } from './server-views'
import { StatusNotice } from './status-notice'

function countsOf({ counts }: Server): Readonly<Record<string, number | undefined>> {
  return {
    tools: counts.tools || undefined,
    resources: counts.resources + counts.resourceTemplates || undefined,
    prompts: counts.prompts || undefined,
  }
}

function RunButtons({ server }: { readonly server: Server }): readonly JSX.Element[] {
  const [, navigate] = useLocation()
  const actions = runActions(server)
  return actions.map(({ id, label, icon, run }) => (
    <Button
      key={id}
      icon={icon}
      variant={id === 'start' ? 'primary' : 'default'}
      onClick={() => run({ navigate, onRemove: () => undefined })}
    >
      {label}
    </Button>
  ))
}

/** Switches between log, messages and history. Each view has this in its own bar, so every choice renders a new one. */
function LogViewChoice(props: {
  readonly value: LogView
  readonly onChange: (value: LogView) => void
  /** Whether the previous choice was made here, so that the new switch takes the focus. */
  readonly takesFocus: boolean
}): JSX.Element {
  const { value, onChange, takesFocus } = props
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (takesFocus) box.current?.querySelector<HTMLElement>('[aria-checked="true"]')?.focus()
  }, [takesFocus])
  return (
    <div ref={box} className="me-2 flex-none">
      <Segmented label="Show" value={value} options={LOG_VIEWS} onValueChange={onChange} />
    </div>
  )
}

/** The page of one server: status and actions, one notice, and six tabs. */
export function ServerPage(props: {
  readonly installationId: string
  readonly view: ServerView
  /** Renders the panel of a view, which other features provide. `lead` goes first in its bar, or above its content. */
  readonly renderView: (server: Server, lead: ReactNode) => ReactNode
}): JSX.Element {
  const { installationId, view, renderView } = props
  const [, navigate] = useLocation()
  const server = useServer(installationId)
  const [takesFocus, setTakesFocus] = useState(false)
  if (!server) return <NoServer title="Server" />
  const tab = tabOf(view)
  const counts = countsOf(server)
  const show = (next: string): void =>
    navigate(`/servers/${installationId}${next === 'overview' ? '' : `/${next}`}`, {
      replace: true,
    })
  const notices = <Notices server={server} />
  const logViews = LOG_VIEWS.find(({ value }) => value === view)
  return (
    <Page
      title={server.name}
      lead={<Tile name={server.name} />}
      meta={<StatusBadge status={server.status.kind} />}
      layout="tabs"
      actions={
        <>
          <RunButtons server={server} />
          <ServerMenu
            server={server}
            label="More actions"
            onRemoved={() => navigate('/servers', { replace: true })}
          />
        </>
      }
    >
      <Tabs
        label={server.name}
        value={tab}
        tabs={SERVER_TABS.map((one) => ({ ...one, count: counts[one.id] }))}
        onChange={(next) => {
          setTakesFocus(false)
          show(next === 'logs' ? 'log' : next)
        }}
      >
        {tab !== 'overview' && notices}
        {renderView(
          server,
          logViews ? (
            <LogViewChoice
              value={logViews.value}
              takesFocus={takesFocus}
              onChange={(next) => {
                setTakesFocus(true)
                show(next)
              }}
            />
          ) : (
            notices
          ),
        )}
      </Tabs>
    </Page>
  )
}

type Props = { readonly server: Server }

/** The progress of a start or stop, or that the server is stopped; a neutral line. */
function ProgressNotice({ server }: Props): JSX.Element {
  return (
    <p className="text-pretty wrap-anywhere text-muted tabular-nums">
      <LiveStatusText server={server} part="message" />
    </p>
  )
}

function SignInOfferNotice({ server }: Props): JSX.Element {
  const { signInOffer } = server
  return (
    <Banner
      severity="warn"
      title={signInOffer?.message}
      action={<SuggestedButton server={server} action={SIGN_IN} variant="primary" />}
    >
      {signInOffer?.hint}
    </Banner>
  )
}

/** A sign-in in progress, in any window, or the error of the last one. */
function SignInNotice({ server }: Props): JSX.Element | null {
  const { signIn, installationId } = server
  const cancel = (): void => cancelSignIn(installationId)
  if (signIn === undefined) return null
  switch (signIn.kind) {
    case 'waiting':
      return (
        <Banner
          severity="info"
          title="Signing in."
          action={
            <>
              <Button size="small" onClick={() => openSignIn(installationId)}>
                Continue
              </Button>
              <Button size="small" onClick={cancel}>
                Cancel sign-in
              </Button>
            </>
          }
        >
          {`Waiting for ${signIn.host}.`}
        </Banner>
      )
    case 'finishing':
      return (
        <Banner severity="info" title="Signing in.">
          {`${signIn.host} answered. Finishing sign-in.`}
        </Banner>
      )
    case 'failed':
      return (
        <Banner
          severity="error"
          title={signIn.message}
          action={<SuggestedButton server={server} action={SIGN_IN} variant="primary" />}
          onDismiss={cancel}
        >
          <span className="whitespace-pre-wrap">{signIn.hint}</span>
        </Banner>
      )
  }
}

function ReconnectNotice({ server }: Props): JSX.Element {
  const now = useNow(phaseInterval(server.phases))
  return (
    <Banner severity="info" title="Reconnecting.">
      {reconnectMessage(server, now)} The current connection stays in use until the new one is
      ready.
    </Banner>
  )
}

function ChangesNotice({ server }: Props): JSX.Element {
  const { installationId, unapplied, reconnecting } = server
  const reconnect = reconnectAction(server)
  return (
    <Banner
      severity="info"
      title={reconnect ? 'Reconnect or restart to apply changes.' : 'Restart to apply changes.'}
      action={
        <>
          {reconnect && (
            <Button
              size="small"
              icon={reconnect.icon}
              busy={reconnecting !== undefined}
              onClick={() => void serverActions.reconnect(installationId)}
            >
              {reconnect.label}
            </Button>
          )}
          <Button
            size="small"
            icon={RotateCw}
            onClick={() => void serverActions.restart(installationId)}
          >
            Restart to apply
          </Button>
        </>
      }
    >
      {unapplied.join(' ')}
      {reconnect && ' Reconnecting causes no downtime.'}
    </Banner>
  )
}

function ReviewNotice({ server: { installationId } }: Props): JSX.Element {
  const tools = useServerTools(installationId)
  return (
    <Banner
      severity="warn"
      title={reviewText({ needsReview: tools?.needsReview ?? 0 })}
      action={
        <ButtonLink size="small" href={reviewPath(installationId)}>
          Review
        </ButtonLink>
      }
    >
      Hidden from apps until you approve.
    </Banner>
  )
}

function RegistryNotice({ server: { registryStatus } }: Props): JSX.Element | null {
  if (registryStatus === undefined) return null
  const { title, text } = registryStatusMessage(registryStatus)
  return (
    <Banner severity={registryStatus.status === 'deprecated' ? 'warn' : 'error'} title={title}>
      {text}
    </Banner>
  )
}

/** A newer version; neutral, because it is no problem. */
function UpdateNotice({ server }: Props): JSX.Element | null {
  const { update, installationId, entryVersion } = server
  if (update === undefined) return null
  return (
    <div className="banner flex items-center gap-2 bg-subtle">
      <Info className="icon" aria-hidden />
      <p className="min-w-0 flex-1 text-pretty wrap-anywhere">
        <b>{`Version ${update.version} is available. `}</b>
        <span className="text-muted">{`Installed: ${entryVersion}.`}</span>
      </p>
      <ButtonLink
        size="small"
        href={`/servers/${installationId}/update/${encodeURIComponent(update.entryId)}`}
      >
        Review update
      </ButtonLink>
    </div>
  )
}

/** The most important notice of a server, and the others behind a button. */
function Notices({ server }: Props): JSX.Element {
  const reviewCount = useServerTools(server.installationId)?.needsReview ?? 0
  const [first, ...others] = noticesOf(server, reviewCount)
  const draw = ({ kind, Notice }: Rule): JSX.Element => <Notice key={kind} server={server} />
  return (
    <section className="notices flex flex-none flex-col gap-2 px-5 pt-4" aria-label="Status">
      {/* Present even if empty, so that screen readers announce changes. */}
      <p className="sr-only" role="status">
        {server.unapplied.join(' ')}
      </p>
      {first && draw(first)}
      {others.length > 0 && (
        <Disclosure label={counted(others.length, 'more notice')} className="flex flex-col gap-2">
          {others.map(draw)}
        </Disclosure>
      )}
    </section>
  )
}

type Noticed = Pick<
  Server,
  'status' | 'signIn' | 'signInOffer' | 'unapplied' | 'reconnecting' | 'registryStatus' | 'update'
>

type Rule = {
  readonly kind: string
  readonly Notice: (props: Props) => JSX.Element | null
  readonly applies: (server: Noticed, reviewCount: number) => boolean
}

/** All notices of a server's page, most important first. */
const RULES: readonly Rule[] = [
  // A sign-in in progress or failed replaces the notice that one is needed.
  { kind: 'signIn', Notice: SignInNotice, applies: ({ signIn }) => signIn !== undefined },
  {
    kind: 'failure',
    Notice: StatusNotice,
    applies: ({ status }) =>
      isFailed(status) || status.kind === 'signInNeeded' || status.kind === 'awaitingSignIn',
  },
  {
    kind: 'progress',
    Notice: ProgressNotice,
    applies: ({ status }) => status.kind === 'starting' || status.kind === 'stopping',
  },
  {
    kind: 'signInOffer',
    Notice: SignInOfferNotice,
    applies: (server) => !server.signIn && offersSignIn(server),
  },
  {
    kind: 'deleted',
    Notice: RegistryNotice,
    applies: ({ registryStatus }) =>
      registryStatus !== undefined && registryStatus.status !== 'deprecated',
  },
  {
    kind: 'reconnecting',
    Notice: ReconnectNotice,
    applies: ({ reconnecting }) => reconnecting !== undefined,
  },
  { kind: 'changes', Notice: ChangesNotice, applies: ({ unapplied }) => unapplied.length > 0 },
  { kind: 'review', Notice: ReviewNotice, applies: (_, held) => held > 0 },
  { kind: 'warnings', Notice: StatusNotice, applies: ({ status }) => status.kind === 'degraded' },
  {
    kind: 'deprecated',
    Notice: RegistryNotice,
    applies: ({ registryStatus }) => registryStatus?.status === 'deprecated',
  },
  { kind: 'update', Notice: UpdateNotice, applies: ({ update }) => update !== undefined },
  { kind: 'stopped', Notice: ProgressNotice, applies: ({ status }) => status.kind === 'stopped' },
]

/** Returns the notices of a server by importance; `held` is the number of its tools that wait for review. */
export function noticesOf(server: Noticed, reviewCount: number): readonly Rule[] {
  return RULES.filter(({ applies }) => applies(server, reviewCount))
}
