import { Info, RotateCw } from 'lucide-react'
import type { JSX } from 'react'

import { isFailed } from '../../../src-shared/domain/running/run-status'
import type { ServerView } from '../../../src-shared/domain/state/app-state'
import { reconnectAction } from '../../components/server/actions'
import { LiveWords, phaseTick } from '../../components/server/live-words'
import { serverActions } from '../../components/server/server-actions'
import { askSignIn, cancelSignIn } from '../../components/server/sign-in-actions'
import { SuggestedButton } from '../../components/server/suggested-button'
import { registryStatusMessage } from '../../components/status/registry-messages'
import { offersSignIn, reconnectSentence } from '../../components/status/status-messages'
import { SIGN_IN } from '../../components/status/suggested-action'
import { heldWords } from '../../components/tool/tool-messages'
import { reviewPlace } from '../../components/tool/tool-places'
import { useNow } from '../../stores/now'
import { useServerTools } from '../../stores/tools-store'
import { Button, ButtonLink } from '../../ui/controls/button'
import { Disclosure } from '../../ui/controls/disclosure'
import { Banner } from '../../ui/layout/banner'
import { counted } from '../../ui/text/format'
import { StatusNotice } from './status-notice'

type Props = { readonly server: ServerView }

/** Where a start or a stop is, or that the server is stopped: a line without color. */
function ProgressNotice({ server }: Props): JSX.Element {
  return (
    <p className="text-pretty wrap-anywhere text-muted tabular-nums">
      <LiveWords server={server} part="sentence" />
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

/** A sign-in that is under way, in any window, or how the last one failed. */
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
              <Button size="small" onClick={() => askSignIn(installationId)}>
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
  const now = useNow(phaseTick(server.phases))
  return (
    <Banner severity="info" title="Reconnecting.">
      {reconnectSentence(server, now)} The current connection stays in use until the new one is
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
      title={heldWords({ held: tools?.held ?? 0 })}
      action={
        <ButtonLink size="small" href={reviewPlace(installationId)}>
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

/** A newer version is no problem: a row without color. */
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

/** What there is to know of a server now: the notice that weighs most, and the others behind a button. */
export function Notices({ server }: Props): JSX.Element {
  const held = useServerTools(server.installationId)?.held ?? 0
  const [first, ...others] = noticesOf(server, held)
  const draw = ({ kind, Notice }: Rule): JSX.Element => <Notice key={kind} server={server} />
  return (
    <section className="notices flex flex-none flex-col gap-2 px-5 pt-4" aria-label="Status">
      {/* Stays while it is empty, so that a change is spoken when it comes. */}
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

type Server = Pick<
  ServerView,
  'status' | 'signIn' | 'signInOffer' | 'unapplied' | 'reconnecting' | 'registryStatus' | 'update'
>

type Rule = {
  readonly kind: string
  readonly Notice: (props: Props) => JSX.Element | null
  readonly applies: (server: Server, held: number) => boolean
}

/** What a server's page can say above its content; what weighs most comes first. */
const RULES: readonly Rule[] = [
  // One that is under way, or failed, stands for the need of it.
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

/** The notices of a server, by weight; `held` is how many of its tools wait for a review. */
export function noticesOf(server: Server, held: number): readonly Rule[] {
  return RULES.filter(({ applies }) => applies(server, held))
}
