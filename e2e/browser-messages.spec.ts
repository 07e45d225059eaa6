import { openAgent } from './fixtures/apps-page'
import { expectNoFaults } from './fixtures/axe-faults'
import { openServer } from './fixtures/drive'
import { freePort } from './fixtures/free-port'
import {
  chooseMethod,
  exported,
  openTalks,
  part,
  rowOf,
  rows,
  TOKEN,
} from './fixtures/messages-page'
import { expect, test } from './fixtures/patchbay-test'

// Messages are counted, so health checks are off.
test.use({
  settings: async ({}, use) => use({ gatewayPort: await freePort(), healthChecks: false }),
})

test.describe("D5: a server's messages", () => {
  test(
    'show the handshake and each call with its answer, are searched and filtered, and contain no secret',
    { tag: '@gate' },
    async ({ app: { page }, settings }) => {
      await openTalks(page)
      await openServer(page, 'Talks', 'Messages')
      await expect(rowOf(page, 'initialize, request to the server')).toBeVisible()
      await expect(rowOf(page, 'initialize, result from the server')).toBeVisible()
      await expect(rowOf(page, 'tools/list, result from the server')).toBeVisible()

      const client = await openAgent(page, settings.gatewayPort)
      const call = (name: string, args: Record<string, unknown> = {}) =>
        client.callTool({ name: `Talks__${name}`, arguments: args })
      await call('echo', { text: 'hello messages' })
      await expect(call('fail')).rejects.toThrow('No such thing')
      await call('secret')
      await call('large', { kilobytes: 200 })

      await openServer(page, 'Talks', 'Messages')
      await expect(page.getByText(/^Session 1, \d+:\d\d:\d\d\s[AP]M$/u)).toBeVisible()
      await rowOf(page, 'tools/call echo, request to the server').click()
      await expect(part(page, 'Request')).toContainText('hello messages')
      await expect(part(page, 'Response')).toContainText('hello messages')
      await expect(part(page, 'Response')).toContainText(/from the server.*took \d/u)
      await expectNoFaults(page, 'a call')

      await page.getByRole('button', { name: 'Errors only' }).click()
      await expect(rowOf(page, 'tools/call fail, error from the server')).toBeVisible()
      await expect(rowOf(page, 'tools/call fail, request to the server')).toHaveCount(0)
      await expect(rowOf(page, /echo/u)).toHaveCount(0)
      await expect(page.getByText(/^\d of \d+ messages$/u)).toBeVisible()
      await page.getByRole('button', { name: 'Show pairs' }).click()
      await expect(rowOf(page, 'tools/call fail, request to the server')).toBeVisible()
      await page.getByRole('button', { name: 'Show all', exact: true }).click()
      await page.getByRole('button', { name: 'Show pairs' }).click()

      await chooseMethod(page, /^tools\/call \(8\)$/u)
      await expect(rows(page)).toHaveCount(8)
      const lines = (await exported(page)).trim().split('\n')
      expect(lines).toHaveLength(8)
      for (const line of lines) expect(() => JSON.parse(line) as unknown).not.toThrow()
      expect(lines.join('\n')).toContain('The token is ')
      expect(lines.join('\n')).not.toContain(TOKEN)
      await page.getByRole('button', { name: 'Show all', exact: true }).click()

      const search = page.getByRole('searchbox', { name: 'Search messages' })
      await search.fill('HELLO MESSAGES')
      await expect(rows(page)).toHaveCount(2)
      await expect(rows(page).first()).toHaveAccessibleName(/^tools\/call echo, request/u)
      await search.fill(TOKEN)
      await expect(page.getByRole('heading', { name: 'No matching messages' })).toBeVisible()
      await page.getByRole('button', { name: 'Show all messages' }).click()
      await expect(search).toHaveValue('')

      await rowOf(page, 'tools/call secret, result from the server').click()
      await expect(part(page, 'Response')).toContainText('The token is ')
      await expect(page.locator('body')).not.toContainText(TOKEN)

      await rowOf(page, 'tools/call large, result from the server').click()
      await expect(part(page, 'Response')).toContainText(/\d+ KB of JSON/u)
      await expect(part(page, 'Response').getByRole('tree')).toHaveCount(0)
      await part(page, 'Response').getByRole('button', { name: 'Show', exact: true }).click()
      await expect(part(page, 'Response').getByRole('tree')).toBeVisible()

      const id = await rowOf(page, 'tools/call echo, request to the server')
        .locator('xpath=ancestor::*[@role="row"]')
        .locator('.messages-id')
        .innerText()
      await page.getByRole('textbox', { name: 'Id', exact: true }).fill(id)
      await expect(rows(page)).toHaveCount(2)
      await expect(rowOf(page, 'tools/call echo, result from the server')).toBeVisible()
      await client.close()
    },
  )
})
