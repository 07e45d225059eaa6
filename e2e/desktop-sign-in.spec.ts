import { expect, test } from './fixtures/desktop-test'
import { expectStatus, install, openServer } from './fixtures/drive'
import { GuardedServer } from './fixtures/guarded-server'

test('C10: the desktop app opens an authorization page in the system’s browser after showing its host', async ({
  desktop,
}) => {
  await using guarded = await GuardedServer.open()
  const app = await desktop.launch()
  const { page } = app
  await install(page, guarded.entry, 'Guarded one')
  await expectStatus(page, 'Guarded one', 'Sign-in needed')
  await openServer(page, 'Guarded one')
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  const { host } = new URL(guarded.authorization.issuer)
  const dialog = page.getByRole('dialog')
  await expect(dialog).toContainText(`Sign in at ${host}`)
  expect(app.calls()).toEqual([])
  await dialog.getByRole('button', { name: `Open ${host}` }).click()
  await expect.poll(() => app.calls().length).toBe(1)
  const [call] = app.calls()
  expect(call?.api).toBe('shell.openExternal')
  const address = String(call?.args[0])
  expect(new URL(address).host).toBe(host)
  expect(await guarded.decide(address)).toBe(200)
  await expectStatus(page, 'Guarded one', 'Ready')
})
