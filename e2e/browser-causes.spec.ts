import { expectStatus, install, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

// A failed server isn't retried during the test.
test.use({ settings: { startTries: 1 } })

const says = (title: string, text: string, more: object = {}): object =>
  fixtureServer('says.mjs', { title, args: [text], ...more })

test.describe('E15: the step of a cause', () => {
  test('opens the field of a taken port, with a free one filled in', async ({ app: { page } }) => {
    const taken = 'Error: listen EADDRINUSE: address already in use 127.0.0.1:4321'
    const environmentVariables = [{ name: 'NOTES_PORT', default: '4321' }]
    await install(page, says('Notes', taken, { environmentVariables }), 'Notes')
    await expectStatus(page, 'Notes', 'Paused')
    await openServer(page, 'Notes')
    await page.getByRole('button', { name: 'Pick a free port' }).press('Enter')
    const field = page.getByRole('textbox', { name: /NOTES_PORT|Notes port/i })
    await expect(field).toBeFocused()
    await expect(field).toHaveValue(/^\d{4,5}$/u)
    await expect(field).not.toHaveValue('4321')
  })

  test('says that a variable has no field in the form', async ({ app: { page } }) => {
    await install(page, says('Notes', 'NOTES_KEY is not set'), 'Notes')
    await expectStatus(page, 'Notes', 'Error')
    await openServer(page, 'Notes')
    await page.getByRole('link', { name: 'Fill in NOTES_KEY' }).press('Enter')
    await expect(page.getByText('NOTES_KEY has no field yet')).toBeVisible()
    await expect(page.getByText('Add the server manually')).toBeVisible()
  })

  test("says that a broken copy isn't in npx's or uvx's cache", async ({ app: { page } }) => {
    const broken =
      "Error: Cannot find module '/c/_npx/0123456789abcdef/node_modules/notes/index.js'"
    await install(page, says('Notes', broken), 'Notes')
    await expectStatus(page, 'Notes', 'Paused')
    await openServer(page, 'Notes')
    await page.getByRole('button', { name: 'Repair and restart' }).press('Enter')
    await expectStatus(page, 'Notes', 'Error')
    await expect(page.getByText('Not repaired.').first()).toBeVisible()
    await expect(page.getByRole('button', { name: 'Repair again' })).toBeVisible()
  })
})

test('E15: an error explains its code and cause offline', async ({ app: { page } }) => {
  await install(page, says('Notes', 'NOTES_KEY is not set'), 'Notes')
  await expectStatus(page, 'Notes', 'Error')
  await openServer(page, 'Notes')
  const learnMore = page.getByRole('button', { name: 'Learn more about variable-missing' })
  await page.context().setOffline(true)
  await learnMore.press('Enter')
  const help = page.getByRole('dialog', { name: 'The server needs an environment variable' })
  await expect(help).toContainText('variable-missing')
  await expect(help.getByRole('listitem')).toContainText('Do: enter its value under Edit.')
  await help.press('Escape')
  await expect(help).toBeHidden()
  await expect(learnMore).toBeFocused()
})
