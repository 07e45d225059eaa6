import { beforeAll, describe, expect, it } from 'vitest'

import { AgentDesk } from '../../../../e2e/fixtures/agent-desk'
import { listedServer, listedTool } from '../../../../e2e/fixtures/judged-servers'
import { usualServers } from '../../../../e2e/fixtures/usual-tools'
import type { ListedTool } from '../../tools/directory/placed-server'
import { estimateTokens } from '../../tools/tokens/estimate-tokens'
import { findTools } from './search-tools'

/** What people ask for, and the tools that would do it: any of them counts. */
const ASKED: readonly (readonly [query: string, ...meant: string[]])[] = [
  ['open a bug report on GitHub', 'github__create_issue'],
  ['which pull requests are waiting on github', 'github__list_pull_requests'],
  ['publish a new release on github', 'github__create_release'],
  ['make a new branch in gitlab', 'gitlab__create_branch'],
  ['why did the pipeline job fail', 'gitlab__get_job_log', 'gitlab__get_pipeline'],
  ['start a new sprint', 'jira__create_sprint'],
  ['set a ticket to done', 'jira__transition_issue'],
  ['send a message to a slack channel', 'slack__send_message'],
  ['who is in this slack channel', 'slack__list_members'],
  ['send an email to my boss', 'gmail__send_email'],
  ['find mails from the bank', 'gmail__search_emails'],
  ['what is on my calendar today', 'calendar__list_events', 'calendar__get_calendar'],
  ['book a meeting with Anna', 'calendar__create_event'],
  ['cancel an appointment', 'calendar__delete_event'],
  ['upload a file to drive', 'drive__upload_file'],
  ['write a new page in notion', 'notion__create_page'],
  ['refund a customer', 'stripe__refund_payment'],
  ['how many do we have in stock', 'shopify__get_inventory_level'],
  ['add a contact to hubspot', 'hubspot__create_contact'],
  ['run a sql query', 'postgres__run_query'],
  ['restart the deployment', 'kubernetes__restart_deployment'],
  ['show the logs of a pod', 'kubernetes__get_pod_logs'],
  ['upload a file into a bucket', 's3__put_object'],
  ['latest errors in sentry', 'sentry__list_issues', 'sentry__list_events'],
  ['make a dashboard with graphs', 'grafana__create_dashboard'],
  ['silence this alert for an hour', 'grafana__create_silence'],
  ['export a frame as png', 'figma__export_image'],
  ['play a song', 'spotify__play'],
  ['turn on the lights in the kitchen', 'home__turn_on'],
  ['make the living room warmer, set its temperature', 'home__set_temperature'],
  ['remind me to buy milk, as a task', 'todoist__create_task'],
  ['answer a support ticket', 'zendesk__reply_to_ticket'],
  ['move a card to another list', 'trello__move_card'],
  ['change a row in airtable', 'airtable__update_record'],
  ['edit a page in confluence', 'confluence__update_page'],
  ['take a screenshot of the web page', 'browser__take_screenshot'],
  ['how do I get from Bern to Basel by train', 'maps__get_directions'],
  ['will it rain, the weather tomorrow', 'maps__get_weather_forecast'],
  ['rename a file', 'files__move_file'],
  ['what do they say in this video', 'youtube__get_transcript'],
]

describe('E2 search mode, on more than 500 tools', () => {
  const at = new AgentDesk()
  const found = (query: string, limit?: number): Promise<string> => findIn(at, query, limit)

  beforeAll(() => {
    at.serve(...usualServers())
    at.agent('a', { searchMode: true })
    at.agent('listing', { toolCap: 10_000 })
  })

  it('finds the right tool among the first five for at least nine of ten questions', async () => {
    expect(at.listings.of('a').callable.length).toBeGreaterThanOrEqual(500)
    expect(ASKED.length).toBeGreaterThanOrEqual(40)
    const missed: string[] = []
    for (const [query, ...meant] of ASKED) {
      const names = namesIn(await found(query, 5))
      expect(names.length).toBeLessThanOrEqual(5)
      if (!names.some((name) => meant.includes(name))) missed.push(`${query}: ${names.join(', ')}`)
    }
    const share = 1 - missed.length / ASKED.length
    expect(share, missed.join('\n')).toBeGreaterThanOrEqual(0.9)
  })

  it('takes at most a twentieth of the tokens of the whole list, what a search gives with it', async () => {
    const tokensOf = (agentId: string): number =>
      estimateTokens(JSON.stringify(at.listings.of(agentId).definitions))
    const texts = await Promise.all(ASKED.map(([query]) => found(query)))
    const longest = Math.max(...texts.map((text) => estimateTokens(text)))
    expect((tokensOf('a') + longest) / tokensOf('listing')).toBeLessThanOrEqual(0.05)
  })
})

describe('E2 search mode beside models and in any script', () => {
  const at = new AgentDesk()
  const add = (name: string, description: string, _meta?: object): ListedTool => {
    const { tool, ...others } = listedTool(name)
    return { ...others, tool: { ...tool, description, _meta } }
  }
  const tools = [
    add('search', '法令を検索します'),
    add('screen', '截取屏幕并保存表格'),
    add('hindi', 'किताब खोजें'),
    add('board', 'Shows the board', { ui: { resourceUri: 'ui://b' } }),
    add('submit', 'Submits it', { ui: { resourceUri: 'ui://b', visibility: ['app'] } }),
  ]
  at.serve(listedServer('law', [], { tools }))
  at.agent('a', { searchMode: true })
  const find = async (query: string): Promise<string[]> => namesIn(await findIn(at, query))

  it.each([
    ['法令', 'law__search'],
    ['検索', 'law__search'],
    ['屏幕', 'law__screen'],
    ['表格', 'law__screen'],
    ['法令を検索', 'law__search'],
    ['किताब', 'law__hindi'],
  ])('finds %s', async (query, name) => {
    expect((await find(query))[0]).toBe(name)
  })

  it('gives no tool that is for a page alone, and lists those with a page', async () => {
    expect(await find('board')).toEqual(['law__board'])
    expect(await find('')).not.toContain('law__submit')
    expect(at.names('a')).toEqual(['find_tools', 'call_tool', 'law__board'])
  })
})

/** The text that a search gives the agent `a`. */
async function findIn(at: AgentDesk, query: string, limit?: number): Promise<string> {
  const result = await findTools(at.listings.of('a'), query, limit)
  return (result as { content: [{ text: string }] }).content[0].text
}

function namesIn(text: string): string[] {
  return (JSON.parse(text) as { tools: { name: string }[] }).tools.map(({ name }) => name)
}
