import type { AgentView } from '../../../../src-shared/domain/agents/agent'
import type { ServerView } from '../../../../src-shared/domain/state/app-state'
import { counted, formatList } from '../../../ui/text/format'
import { waitsForUser } from '../../../ui/text/status-messages'

/** "5 servers are ready, 1 is starting, and 1 needs attention." */
function serversSentence(servers: readonly Pick<ServerView, 'status'>[]): string {
  const count = (kind: ServerView['status']['kind']): number =>
    servers.filter(({ status }) => status.kind === kind).length
  const parts: [number, string, string][] = [
    [count('ready'), 'is ready', 'are ready'],
    [count('starting'), 'is starting', 'are starting'],
    [servers.filter(waitsForUser).length, 'needs attention', 'need attention'],
  ]
  const said = parts.filter(([number]) => number > 0)
  return formatList(
    said.map(([number, one, many], index) => {
      const subject = index === 0 ? counted(number, 'server') : String(number)
      return `${subject} ${number === 1 ? one : many}`
    }),
  )
}

/** What the setup guide has led to so far. */
export function setupHeadline(
  servers: readonly Pick<ServerView, 'status'>[],
  agents: readonly Pick<AgentView, 'name' | 'exposed'>[],
): { readonly headline: string; readonly lead: string } {
  if (servers.length === 0)
    return {
      headline: 'Add servers once, use them in every app',
      lead: 'Patchbay runs your MCP servers and shares their tools with the apps you connect.',
    }
  const [agent] = agents
  const sentence = serversSentence(servers)
  const lead = sentence === '' ? 'Your servers are stopped.' : `${sentence}.`
  return agent
    ? { headline: `${agent.name} sees ${counted(agent.exposed, 'tool')}`, lead }
    : { headline: 'Now connect an app', lead }
}
