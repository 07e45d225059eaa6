import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { faultsOf } from './fixtures/axe-faults'
import { BareComputer } from './fixtures/bare-computer'
import {
  approve,
  expectStatus,
  logOf,
  nameIt,
  openServer,
  openSettings,
  paste,
} from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { pythonServer } from './fixtures/python-server'

const SERVER = join(import.meta.dirname, 'servers', 'plain.mjs')
const PYTHON_SERVER = pythonServer()

/** A fake uvx that runs the fixture server for any package. */
const UVX = `#!/bin/sh
case "$*" in
  *--version*) echo "uvx 0.9.2" ;;
  *python*-c*) echo "Installed 1 package" >&2 ;;
  *) exec node "${SERVER}" ;;
esac
`

test.describe('a missing runner', () => {
  let computer: BareComputer
  test.beforeEach(() => {
    computer = new BareComputer()
  })
  test.afterEach(() => computer.remove())

  test('is named with what to install and where it was searched, and its path can be set', async ({
    openApp,
  }) => {
    const { page } = await openApp({ env: computer.env })
    await paste(page, PYTHON_SERVER)
    await nameIt(page, 'Notes')
    await approve(page)
    await expectStatus(page, 'Notes', 'Error')
    await openServer(page, 'Notes')
    const main = page.getByRole('main')
    await expect(main).toContainText('uvx was not found on this computer.')
    await expect(main).toContainText('COMMAND_NOT_FOUND')
    await expect(main.getByText(computer.bin, { exact: true })).toBeHidden()
    await page.getByRole('button', { name: /^Searched \d/u }).click()
    await expect(main.getByText(computer.bin, { exact: true })).toBeVisible()

    expect(await faultsOf(page)).toEqual([])

    await page.getByRole('link', { name: 'Set uvx path' }).click()
    const field = page.getByRole('textbox', { name: 'uvx' })
    await expect(field).toBeFocused()
    await field.fill(join(computer.home, 'elsewhere', 'uvx'))
    await field.press('Enter')
    const runners = page.getByRole('region', { name: 'Runtimes' })
    await expect(runners).toContainText('which doesn’t exist')

    const uvx = computer.write(join(computer.home, 'mine'), 'uvx', UVX)
    await field.fill(uvx)
    await field.press('Enter')
    await expect(runners).toContainText('uv 0.9.2, set manually.')
    await openServer(page, 'Notes')
    await page.getByRole('button', { name: 'Restart' }).first().click()
    await expectStatus(page, 'Notes', 'Ready')
  })

  test(
    'is set up on consent, with its output in the log, and the server starts automatically',
    { tag: '@gate' },
    async ({ openApp }) => {
      // The real table of setups, with a pipx that writes a fake to the usual folder.
      const target = join(computer.home, '.local', 'bin')
      const ready = computer.write(computer.home, 'uvx-to-install', UVX)
      computer.write(
        computer.bin,
        'pipx',
        `#!/bin/sh\necho "installing $2"\nmkdir -p "${target}"\ncp "${ready}" "${target}/uvx"\n`,
      )
      const { page } = await openApp({ env: computer.env })
      await paste(page, PYTHON_SERVER)
      await nameIt(page, 'Notes')
      await approve(page)
      await expectStatus(page, 'Notes', 'Error')
      await openServer(page, 'Notes')
      await page.getByRole('button', { name: 'Run: Install uv with pipx' }).click()
      const dialog = page.getByRole('alertdialog')
      await expect(dialog.getByRole('listitem')).toHaveText(['pipx install uv'])
      await dialog.getByRole('button', { name: 'Cancel' }).click()
      await expectStatus(page, 'Notes', 'Error')

      await page.getByRole('button', { name: 'Run: Install uv with pipx' }).click()
      await dialog.getByRole('button', { name: 'Run and start Notes' }).click()
      await expectStatus(page, 'Notes', 'Ready')
      await openServer(page, 'Notes', 'Log')
      await expect(logOf(page, 'Notes')).toContainText('$ pipx install uv')
      await expect(logOf(page, 'Notes')).toContainText('installing uv')
      await openSettings(page, 'Servers')
      await expect(page.getByRole('region', { name: 'Runtimes' })).toContainText(
        'uv 0.9.2, found on this computer.',
      )
    },
  )
})

test('a working folder is part of the approved command', async ({ app: { page }, profileDir }) => {
  const folder = join(profileDir, 'folder')
  mkdirSync(folder)
  await paste(page, {
    ...PYTHON_SERVER,
    packages: [
      {
        registryType: 'cargo',
        identifier: 'node',
        version: '1.0.0',
        transport: { type: 'stdio' },
        packageArguments: [
          { type: 'positional', value: '-e' },
          {
            type: 'positional',
            value: 'console.error("runs in " + process.cwd()); process.exit(3)',
          },
        ],
      },
    ],
  })
  await nameIt(page, 'Where')
  await page.getByRole('button', { name: 'Advanced' }).click()
  const field = page.getByRole('textbox', { name: 'Working folder' })
  const preview = page.getByRole('complementary', { name: 'Command preview' })
  await field.fill('notes')
  await page.getByRole('button', { name: /^Approve and start/u }).click()
  await expect(page.getByText('Enter the full path of a folder, or leave blank.')).toBeVisible()
  await field.fill(join(folder, 'missing'))
  await expect(preview).toContainText('doesn’t exist or you can’t access it')
  await field.fill(folder)
  await expect(preview).toContainText(`Runs in ${folder}.`)
  await approve(page)
  await openServer(page, 'Where', 'Log')
  await expect(logOf(page, 'Where')).toContainText(`runs in ${folder}`)
})
