import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { SlidersHorizontal } from 'lucide-react'
import type { JSX } from 'react'

import type {
  OpenedInstallation,
  PhaseBudgets,
} from '../../../../src-shared/domain/installation/installation'
import type { LaunchPreview } from '../../../../src-shared/domain/installation/launch-plan'
import { findOffer, stepsOf } from '../../../../src-shared/domain/server-json/offer'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { PublisherSteps } from '../../../components/server/publisher-steps'
import { call, toErrorShape } from '../../../ipc/call'
import { useApp, useSecretsInMemory } from '../../../stores/app-store'
import { Button, ButtonLink } from '../../../ui/controls/button'
import { Banner, Skeleton } from '../../../ui/layout/page'
import { ProblemState } from '../../../ui/layout/problem-state'
import { copyText } from '../../../ui/saving/copy-text'
import { formatWhole } from '../../../ui/text/format'
import { protocolMessages } from '../values/install-values'
import { PreviewBody } from './preview-bodies'

type Configuration = {
  readonly installation: OpenedInstallation
  readonly preview: LaunchPreview
}

async function readConfiguration(installationId: string): Promise<Configuration> {
  const installation = await call('installation.read', { installationId })
  const { values, cwd } = installation
  const preview = await call('launch.preview', { of: { installationId }, values, cwd })
  return { installation, preview }
}

function useConfiguration(server: ServerView): UseQueryResult<Configuration> {
  const { installationId, name, entryVersion, unapplied, roots } = server
  // Shared secrets change with the configuration too.
  const stored = useApp(({ app }) => app?.secrets)
  return useQuery({
    queryKey: ['configuration', installationId, name, entryVersion, unapplied, roots, stored],
    queryFn: () => readConfiguration(installationId),
    placeholderData: keepPreviousData,
  })
}

function Body({
  server,
  installation,
  preview,
}: Configuration & { readonly server: ServerView }): JSX.Element {
  const { approvedPlan } = installation
  const marks = { live: null, bad: [], secretsInMemory: useSecretsInMemory() }
  const options = [
    limitsText(installation.budgets),
    ...protocolMessages(installation.protocol),
  ].filter((message) => message !== '')
  const offer = findOffer(installation.server, installation.offer)
  const steps = offer && stepsOf(offer)
  return (
    <>
      <div className="flex min-h-7 items-center gap-2">
        <h2>{preview.kind === 'remote' ? 'Connection' : 'Command'}</h2>
        <span className="min-w-0 flex-1" />
        <Button
          size="small"
          onClick={() =>
            copyText(
              configurationText(server.name, preview),
              'Configuration copied without secrets.',
            )
          }
        >
          Copy as JSON
        </Button>
        <ButtonLink
          size="small"
          icon={SlidersHorizontal}
          href={`/servers/${server.installationId}/configure`}
        >
          Edit
        </ButtonLink>
      </div>
      {approvedPlan === preview.planHash ? (
        <p className="text-muted">You approved this configuration.</p>
      ) : (
        <Banner severity="warn" title="Not approved.">
          {approvedPlan === undefined
            ? 'Review and approve the configuration before the server starts.'
            : 'The configuration changed since you approved it. Approve it again before the server starts.'}
        </Banner>
      )}
      {preview.problems.length > 0 && (
        <Banner severity="error" title="Missing or invalid values.">
          {preview.problems.map(({ label, message }) => `${label}: ${message}`).join(' ')}
        </Banner>
      )}
      <PreviewBody preview={preview} marks={marks} />
      {steps && <PublisherSteps steps={steps} />}
      {options.length > 0 && (
        <p className="mt-3 text-small text-pretty wrap-anywhere text-faint tabular-nums">
          {options.join(' ')}
        </p>
      )}
    </>
  )
}

/** The configuration of a server: each argument, variable and header with its source, secrets masked. */
export function ConfigurationPanel({ server }: { readonly server: ServerView }): JSX.Element {
  const { data, error } = useConfiguration(server)
  const problem = error && toErrorShape(error)
  return (
    <section className="flex flex-col gap-2" aria-label="Configuration">
      {problem && (
        <ProblemState
          title="Can’t load the configuration"
          problem={problem}
          action={
            <ButtonLink href={`/servers/${server.installationId}/configure`}>Edit</ButtonLink>
          }
        />
      )}
      {data && !problem ? (
        <Body server={server} {...data} />
      ) : (
        !problem && <Skeleton label="Reading the configuration" rows={5} />
      )}
    </section>
  )
}

type Pair = { readonly name: string; readonly text: string; readonly secret: boolean }

/** Returns a value for a text that leaves the app; a secret becomes a placeholder that reveals neither value nor length. */
function shownText({ name, text, secret }: Pair): string {
  return secret ? `\${${name}}` : text
}

function pairs(list: readonly Pair[]): Record<string, string> {
  return Object.fromEntries(list.map((pair) => [pair.name, shownText(pair)]))
}

function filled<T extends object>(name: string, value: T): Record<string, T> {
  return Object.keys(value).length === 0 ? {} : { [name]: value }
}

/** Returns a server's configuration as an `mcpServers` entry for other apps; secrets become `${NAME}`. */
export function configurationText(name: string, preview: LaunchPreview): string {
  const entry =
    preview.kind === 'remote'
      ? {
          type: preview.type === 'sse' ? 'sse' : 'http',
          url: preview.url.secret ? '${URL}' : preview.url.text,
          ...filled('headers', pairs(preview.headers)),
        }
      : {
          command: preview.command,
          args: preview.args.map(({ text, secret, origin }) =>
            shownText({ name: origin.label.replace(/\W+/gu, '_').toUpperCase(), text, secret }),
          ),
          ...filled('env', pairs(preview.env)),
        }
  return `${JSON.stringify({ mcpServers: { [name]: entry } }, null, 2)}\n`
}

/** Returns the custom time limits as a sentence; empty if there are none. */
export function limitsText(budgets: PhaseBudgets): string {
  const parts = [
    ['install', budgets.installMs],
    ['handshake', budgets.handshakeMs],
    ['discover', budgets.discoverMs],
    ['each call', budgets.callMs],
  ] as const
  const texts = parts.flatMap(([what, ms]) =>
    ms === undefined ? [] : [`${what} ${formatWhole(ms)}`],
  )
  return texts.length === 0 ? '' : `Custom time limits: ${texts.join(', ')}.`
}
