import { expect, test } from './fixtures/desktop-test'
import { installReady } from './fixtures/drive'
import { RequestingServer } from './fixtures/requesting-server'

test("E1: the desktop app opens a server's page in the system’s browser only with consent", async ({
  desktop,
}) => {
  const asking = new RequestingServer(test.info().outputPath('asks.jsonl'))
  const app = await desktop.launch()
  const { page } = app
  await installReady(page, asking.entry, 'Asker')
  const url = 'https://example.org/connect?session=1'
  asking.ask('elicitation/create', { mode: 'url', message: 'Look.', url, elicitationId: 'e' })
  const dialog = page.getByRole('dialog', { name: 'Asker asks you to open a page' })
  await expect(dialog.getByRole('button', { name: 'Open page' })).toBeEnabled()
  expect(app.calls()).toEqual([])
  await dialog.getByRole('button', { name: 'Open page' }).click()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await expect.poll(() => asking.received).toMatchObject([{ result: { action: 'accept' } }])
  expect(app.calls()).toMatchObject([{ api: 'shell.openExternal', args: [url] }])
})
