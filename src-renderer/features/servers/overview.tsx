import type { JSX, ReactNode } from 'react'

import type { ServerView } from '../../../src-shared/domain/app-state'
import { formatCount } from '../../ui/elapsed'
import { PlainText } from '../../ui/plain-text'
import { faultWords } from './fault-words'

function counted(count: number, one: string, many: string): string {
  return `${formatCount(count)} ${count === 1 ? one : many}`
}

function offered({ counts }: ServerView): string {
  return [
    counted(counts.tools, 'tool', 'tools'),
    counted(counts.resources, 'resource', 'resources'),
    counted(counts.resourceTemplates, 'resource template', 'resource templates'),
    counted(counts.prompts, 'prompt', 'prompts'),
  ].join(', ')
}

function factsOf(server: ServerView): readonly (readonly [string, ReactNode])[] {
  const { status, pid, protocolVersion, serverVersion, faults } = server
  const against = faultWords(faults)
  const works = status.kind === 'ready' || status.kind === 'degraded'
  return [
    ['Offers', works ? offered(server) : 'Known once it is ready.'],
    ['Package', <code key="id">{server.identifier}</code>],
    ['Version', server.packageVersion ?? 'newest at each start'],
    ['From', server.registryType],
    ['Registry name', <code key="name">{`${server.entryName} ${server.entryVersion}`}</code>],
    ['Start', server.enabled ? 'with Patchbay' : 'only by hand'],
    ['Secrets', server.hasSecrets ? 'saved apart from its values' : 'none'],
    ...(serverVersion === undefined ? [] : [['Calls itself', serverVersion] as const]),
    ...(protocolVersion === undefined ? [] : [['Protocol', protocolVersion] as const]),
    ...(pid === undefined ? [] : [['Process', <span key="pid">{pid}</span>] as const]),
    ...(against === '' ? [] : [['Against the protocol', `${against}; see the log.`] as const]),
  ]
}

/** What a server is and where it comes from. */
export function Overview({ server }: { readonly server: ServerView }): JSX.Element {
  return (
    <div className="tab-body scroll" tabIndex={0} role="region" aria-label="Overview">
      <div className="overview">
        {server.description !== '' && (
          <PlainText className="about-text" text={server.description} />
        )}
        <dl className="facts">
          {factsOf(server).map(([term, fact]) => (
            <div key={term} className="fact">
              <dt>{term}</dt>
              <dd>{fact}</dd>
            </div>
          ))}
        </dl>
      </div>
    </div>
  )
}
