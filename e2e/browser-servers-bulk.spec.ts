import { expectNoFaults } from './fixtures/axe-faults'
import { expectStatus, goTo, installReady } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { expect, test } from './fixtures/patchbay-test'

test('D2: several servers are stopped, started and turned off together, by keyboard', async ({
  app: { page },
}) => {
  const names = ['Ash', 'Birch', 'Cedar']
  for (const name of names) {
    await installReady(page, fixtureServer('plain.mjs'), name)
  }
  await goTo(page, 'Servers')
  const boxes = names.map((name) => page.getByRole('checkbox', { name: `Select ${name}` }))
  const bar = page.getByRole('group', { name: 'Selected servers' })
  await expect(bar).toBeHidden()

  await test.step('arrow keys move to the same control of another row, and to the ends of the table', async () => {
    await boxes[0]?.focus()
    await page.keyboard.press('ArrowDown')
    await expect(page.getByRole('checkbox', { name: 'Select Birch' })).toBeFocused()
    await page.keyboard.press('End')
    await expect(page.getByRole('checkbox', { name: 'Select Cedar' })).toBeFocused()
    const table = page.getByRole('table', { name: 'Servers' })
    await table.getByRole('link', { name: 'Cedar', exact: true }).press('ArrowUp')
    await expect(table.getByRole('link', { name: 'Birch', exact: true })).toBeFocused()
    // On a menu button the key opens the menu.
    await page.getByRole('button', { name: 'Actions for Ash' }).press('ArrowDown')
    await expect(page.getByRole('menu')).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('button', { name: 'Actions for Ash' })).toBeFocused()
  })

  await test.step('a range is selected with Shift, and all with the usual keys', async () => {
    await boxes[0]?.press('Space')
    await expect(bar).toContainText('1 selected')
    await boxes[2]?.click({ modifiers: ['Shift'] })
    await expect(bar).toContainText('3 selected')
    await bar.getByRole('button', { name: 'Clear selection' }).press('Enter')
    await expect(bar).toBeHidden()
    await boxes[1]?.focus()
    await page.keyboard.press('ControlOrMeta+a')
    await expect(bar).toContainText('3 selected')
    await boxes[1]?.press('Space')
    await expect(bar).toContainText('2 selected')
    await expectNoFaults(page, 'chosen servers')
  })

  await test.step('only selected servers stop', async () => {
    await bar.getByRole('button', { name: 'Stop' }).press('Enter')
    await expectStatus(page, 'Ash', 'Stopped')
    await expectStatus(page, 'Cedar', 'Stopped')
    await expectStatus(page, 'Birch', 'Ready')
    await bar.getByRole('button', { name: 'Start', exact: true }).press('Enter')
    await expectStatus(page, 'Ash', 'Ready')
    await expectStatus(page, 'Cedar', 'Ready')
  })

  await test.step('turned off servers return by Undo', async () => {
    await bar.getByRole('button', { name: 'Turn off' }).press('Enter')
    const toggle = page.getByRole('switch', { name: 'Ash enabled' })
    await expect(toggle).not.toBeChecked()
    const undo = page.getByRole('button', { name: 'Undo' })
    await expect(undo).toBeVisible()
    // The notifications, the newest one, and its button.
    await page.keyboard.press('F8')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await expect(undo).toBeFocused()
    await page.keyboard.press('Enter')
    await expect(toggle).toBeChecked()
    await expect(page.getByRole('switch', { name: 'Cedar enabled' })).toBeChecked()
    await expectStatus(page, 'Ash', 'Ready')
  })

  await test.step('removed servers return to their place by Undo', async () => {
    await bar.getByRole('button', { name: 'Remove…' }).press('Enter')
    const dialog = page.getByRole('alertdialog', { name: 'Remove 2 servers?' })
    await expect(dialog.getByRole('listitem')).toHaveText(['Ash', 'Cedar'])
    await expect(dialog.getByRole('button', { name: 'Cancel' })).toBeFocused()
    await expectNoFaults(page, 'servers to remove')
    await dialog.getByRole('button', { name: 'Remove 2 servers' }).press('Enter')
    await expect(dialog).toBeHidden()
    await expect(page.getByRole('checkbox', { name: /^Select /u })).toHaveCount(1)
    const notice = page.getByRole('listitem').filter({ hasText: '2 servers removed.' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await expectStatus(page, 'Ash', 'Ready')
    await expectStatus(page, 'Cedar', 'Ready')
    await expect(page.getByRole('checkbox', { name: /^Select /u })).toHaveCount(3)
    const rows = page.getByRole('table', { name: 'Servers' }).getByRole('row')
    await expect(rows).toContainText(['', 'Ash', 'Birch', 'Cedar'])
  })

  await test.step('a single one does too', async () => {
    const toggle = page.getByRole('switch', { name: 'Birch enabled' })
    await toggle.press('Space')
    await expect(toggle).not.toBeChecked()
    const notice = page.getByRole('listitem').filter({ hasText: 'Birch turned off.' })
    await notice.getByRole('button', { name: 'Undo' }).click()
    await expect(toggle).toBeChecked()
  })
})
