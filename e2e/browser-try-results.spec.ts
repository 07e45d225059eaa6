import { readFileSync } from 'node:fs'

import { expectNoFaults, faultsOf } from './fixtures/axe-faults'
import { approve, expectStatus, openServer, setUp } from './fixtures/drive'
import { expect, test } from './fixtures/patchbay-test'
import { blockOf, callTool, openTool, resultOf, send } from './fixtures/tool-run-page'

/** Time for a first download over a slow connection, in ms. */
const DOWNLOAD_LIMIT_MS = 240_000

test.describe.configure({ timeout: DOWNLOAD_LIMIT_MS })

test.describe('D5: results of the published server Everything', () => {
  test('are shown by kind: tools, resources, templates and prompts with completion, and watched resources', async ({
    app: { page },
  }) => {
    await setUp(page, 'Everything')
    await approve(page)
    await expectStatus(page, 'Everything', 'Ready', DOWNLOAD_LIMIT_MS)
    const panel = page.getByRole('tabpanel')
    await openServer(page, 'Everything', 'Tools')
    await expect(panel).toContainText('Echoes back the input string')

    // Tools: image, annotated text, structured, embedded and linked content.
    await callTool(page, 'Everything', 'get-tiny-image')
    const picture = blockOf(page, 'Image 2').getByRole('img', { name: 'Image 2' })
    await expect(picture).toBeVisible()
    await expect(picture).toHaveAttribute('src', /^blob:/u)
    await expect(picture).toHaveJSProperty('complete', true)
    await expect(picture).not.toHaveJSProperty('naturalWidth', 0)
    await expect(blockOf(page, 'Image 2')).toContainText(/image\/png, \d+ × \d+ pixels, /u)
    const saved = page.waitForEvent('download')
    await blockOf(page, 'Image 2').getByRole('button', { name: 'Save to file' }).click()
    const file = await saved
    expect(file.suggestedFilename()).toMatch(/\.png$/u)
    expect(
      readFileSync(await file.path())
        .subarray(1, 4)
        .toString(),
    ).toBe('PNG')

    await openTool(page, 'Everything', 'get-annotated-message')
    await page.getByLabel(/messageType/u).selectOption('error')
    await send(page)
    await expect(blockOf(page, 'Text 1')).toContainText('Error: Operation failed')
    await expect(blockOf(page, 'Text 1')).toContainText('for user, assistant')
    await expect(blockOf(page, 'Text 1')).toContainText('priority 1')

    await openTool(page, 'Everything', 'get-structured-content')
    await page.getByLabel(/location/u).selectOption('Chicago')
    await send(page)
    await expect(resultOf(page)).toContainText('Matches the tool’s output schema.')
    await blockOf(page, 'Text 1').getByRole('radio', { name: 'JSON' }).click()
    await expect(page.getByRole('tree', { name: 'Text 1' })).toContainText('temperature')
    await resultOf(page).getByRole('radio', { name: 'Structured' }).click()
    await expect(page.getByRole('tree', { name: 'Structured content' })).toContainText('humidity')

    await callTool(page, 'Everything', 'get-resource-reference')
    await expect(blockOf(page, 'Resource 2')).toContainText('demo://resource/dynamic/text/1')
    await expect(blockOf(page, 'Resource 2')).toContainText('This is a plaintext resource')

    await callTool(page, 'Everything', 'get-resource-links')
    const link = blockOf(page, 'Resource link 2')
    await expect(link).toContainText('demo://resource/dynamic/')
    await link.getByRole('button', { name: 'Read' }).press('Enter')
    await expect(
      page.getByRole('heading', { name: /^demo:\/\/resource\/dynamic\//u }),
    ).toBeVisible()
    await send(page, 'Read')
    await expect(blockOf(page, 'Resource 1')).toBeVisible()

    // A listed resource.
    await openServer(page, 'Everything', 'Resources')
    await expect(panel).toContainText('demo://resource/static/document/')
    await expect(panel).toContainText('demo://resource/dynamic/text/{resourceId}')
    await page.getByRole('link', { name: 'Read architecture.md' }).press('Enter')
    await expect(page.getByText('Static document file exposed from /docs')).toBeVisible()
    await send(page, 'Read')
    await expect(blockOf(page, 'Resource 1')).toContainText('text/markdown')
    await blockOf(page, 'Resource 1').getByRole('radio', { name: 'Markdown' }).click()
    await expect(
      blockOf(page, 'Resource 1').getByRole('region').getByRole('heading').first(),
    ).toBeVisible()

    // A template: the variable is completed, and the address follows.
    await openServer(page, 'Everything', 'Resources')
    await page.getByRole('link', { name: 'Try it Dynamic Text Resource' }).click()
    const id = page.getByRole('combobox', { name: 'resourceId' })
    await id.fill('7')
    await expect(page.getByRole('option', { name: '7', exact: true })).toBeVisible()
    await id.press('ArrowDown')
    await id.press('Enter')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(page.getByText('demo://resource/dynamic/text/7', { exact: true })).toBeVisible()
    await send(page, 'Read')
    await expect(blockOf(page, 'Resource 1')).toContainText('Resource 7: This is a plaintext')

    await openServer(page, 'Everything', 'Resources')
    await page.getByRole('link', { name: 'Try it Dynamic Blob Resource' }).click()
    await page.getByRole('combobox', { name: 'resourceId' }).fill('3')
    await page.keyboard.press('Escape')
    await send(page, 'Read')
    const download = page.waitForEvent('download')
    await blockOf(page, 'Resource 1').getByRole('button', { name: 'Save to file' }).click()
    expect(readFileSync(await (await download).path(), 'utf8')).toContain(
      'Resource 3: This is a base64',
    )

    // A prompt whose second argument depends on the first.
    await openServer(page, 'Everything', 'Prompts')
    await expect(panel).toContainText('simple-prompt')
    await page.getByRole('link', { name: 'Render completable-prompt' }).press('Enter')
    const department = page.getByRole('combobox', { name: 'department' })
    await page.getByRole('button', { name: 'Render', exact: true }).click()
    await expect(department).toBeFocused()
    await expect(department).toHaveAttribute('aria-invalid', 'true')
    await page.keyboard.type('Eng')
    await expect(page.getByRole('option', { name: 'Engineering' })).toBeVisible()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await expect(department).toHaveValue('Engineering')
    const name = page.getByRole('combobox', { name: 'name', exact: true })
    await name.press('ArrowDown')
    const offered = page.getByRole('listbox', { name: 'Suggestions' })
    await expect(offered.getByRole('option')).toHaveText(['Alice', 'Bob', 'Charlie'])
    await page.keyboard.press('ArrowUp')
    await expect(page.getByRole('option', { name: 'Charlie', selected: true })).toBeVisible()
    expect(await faultsOf(page)).toEqual([])
    await page.keyboard.press('Escape')
    await expect(page.getByRole('listbox')).toBeHidden()
    await expect(name).toHaveValue('')
    await name.fill('Bob')
    await page.keyboard.press('Control+Enter')
    await expect(blockOf(page, 'Text 1')).toContainText('Please promote Bob to the head')
    await expect(resultOf(page).getByText('User', { exact: true })).toBeVisible()
    await expectNoFaults(page, 'a prompt')

    // A watched resource reports a change and is read again automatically.
    await callTool(page, 'Everything', 'toggle-subscriber-updates')
    await openServer(page, 'Everything', 'Resources')
    await page.getByRole('link', { name: 'Read features.md' }).click()
    await page.getByRole('switch', { name: 'Watch for changes' }).press('Space')
    await expect(page.getByRole('status', { name: 'Changes', exact: true })).toContainText(
      'Read it again',
    )
    await expect(resultOf(page)).toHaveCount(0)
    await page.getByRole('switch', { name: /^Refresh automatically/u }).press('Space')
    await expect(blockOf(page, 'Resource 1')).toContainText(
      'demo://resource/static/document/features.md',
    )
  })
})
