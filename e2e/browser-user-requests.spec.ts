import type { Page } from '@playwright/test'

import type { ElicitationField, UserRequestBody } from '../src-shared/domain/agents/user-request'
import { expectStatus, goTo, installReady, openServer } from './fixtures/drive'
import { fixtureServer } from './fixtures/fixture-server'
import { MadeUpRequests, requestShown, shownRows } from './fixtures/made-up-requests'
import { expect, test } from './fixtures/patchbay-test'

const NAME = 'Asker'
const FORM: UserRequestBody = {
  kind: 'form',
  message: 'Who are you?\u202e',
  fields: [
    { name: 'user.name', isRequired: true, input: { kind: 'text', maxLength: 20 } },
    {
      name: 'age',
      title: 'Your age',
      isRequired: false,
      input: { kind: 'number', isInteger: true, minimum: 1 },
    },
    {
      name: 'colour',
      isRequired: true,
      input: {
        kind: 'choice',
        choices: ['red', 'blue'].map((value) => ({ value, label: value })),
      },
    },
  ],
}
const CALL: UserRequestBody = {
  kind: 'call',
  tool: 'wipe_disk',
  isDestructive: true,
  arguments: shownRows({ disk: 'sda' }),
}

const TITLE = `Allow Claude to run wipe_disk on ${NAME}?`

async function open(page: Page): Promise<MadeUpRequests> {
  await installReady(page, fixtureServer('plain.mjs'), NAME)
  const put = await MadeUpRequests.on(page)
  await expectStatus(page, NAME, 'Ready')
  return put
}

test.describe('E1: server requests in the app', () => {
  test(
    "a form is validated at its fields, and sent with the server's names",
    { tag: '@gate' },
    async ({ app: { page } }) => {
      const put = await open(page)
      put.put([put.made('q', FORM)])
      const dialog = await requestShown(page, `${NAME} asks for details`)
      await expect(page).toHaveTitle(/^\(1\) /u)
      await expect(page.getByRole('status', { name: 'Status changes' })).toContainText(
        `${NAME} asks for details.`,
      )
      await expect(dialog).toContainText('not from Patchbay')
      await expect(dialog).toContainText('Who are you?<U+202E>')
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(dialog.getByText('Enter a value.')).toBeVisible()
      await expect(dialog.getByText('Choose one.')).toBeVisible()
      await expect(dialog.getByRole('textbox', { name: 'user.name' })).toBeFocused()
      await page.keyboard.type('Ann')
      await dialog.getByRole('textbox', { name: 'Your age' }).fill('0')
      await dialog.getByRole('radio', { name: 'blue' }).check()
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(dialog.getByText('Enter a whole number: at least 1.')).toBeVisible()
      await dialog.getByRole('textbox', { name: 'Your age' }).fill('41')
      put.refusal = { code: 'INVALID_VALUES', message: 'The field age is refused.' }
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(dialog.getByText('The field age is refused.')).toBeVisible()
      await dialog.getByRole('button', { name: 'Send' }).click()
      await expect(dialog).toBeHidden()
      expect(put.answers).toEqual([
        { kind: 'accept', content: { 'user.name': 'Ann', age: 41, colour: 'blue' } },
      ])
      await expect(page).not.toHaveTitle(/^\(/u)
    },
  )

  test('text typed elsewhere stays there, and a banner leads to the request', async ({
    app: { page },
  }) => {
    const put = await open(page)
    await goTo(page, 'Catalog')
    const search = page.getByRole('searchbox', { name: 'Search catalog' })
    await search.click()
    await page.keyboard.type('mem')
    put.put([put.made('q', FORM), put.made('r', CALL, { agent: 'Claude' })])
    const banner = page.getByRole('region', { name: 'Requests' })
    await expect(banner).toContainText(`${NAME} asks for details.`)
    await expect(banner).toContainText('1 more request.')
    await expect(page.getByRole('dialog')).toBeHidden()
    await page.keyboard.type('ory')
    await expect(search).toHaveValue('memory')
    await banner.getByRole('button', { name: 'Answer' }).click()
    const form = await requestShown(page, `${NAME} asks for details`)
    await expect(form).toContainText('1 of 2')
    // "Later" is no answer, and keeps the typed text.
    await form.getByRole('textbox', { name: 'user.name' }).fill('Ann')
    await page.keyboard.press('Escape')
    await expect(form).toBeHidden()
    await banner.getByRole('button', { name: 'Answer' }).click()
    await requestShown(page, `${NAME} asks for details`)
    await expect(form.getByRole('textbox', { name: 'user.name' })).toHaveValue('Ann')
    await form.getByRole('button', { name: 'Decline' }).click()
    const call = await requestShown(page, TITLE)
    await expect(call.getByRole('combobox', { name: /^Tools to allow/u }).first()).toBeDisabled()
    await call.getByRole('button', { name: 'Deny', exact: true }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(put.answers).toEqual([{ kind: 'decline' }, { kind: 'deny' }])
  })

  test('keys and clicks in flight answer nothing', async ({ app: { page } }) => {
    await page.clock.install()
    const put = await open(page)
    await goTo(page, 'Servers')
    await page.clock.pauseAt(Date.now() + 60_000)
    const body = { ...CALL, isDestructive: false }
    put.put([put.made('q', body, { agent: 'Claude', until: Date.now() + 600_000 })])
    const dialog = page.getByRole('dialog')
    await dialog.waitFor()
    await expect(dialog).toBeFocused()
    const allow = dialog.getByRole('button', { name: 'Allow once' })
    for (const button of await dialog.getByRole('button').all()) await expect(button).toBeDisabled()
    for (const key of ['Enter', 'Space', 'Escape']) await page.keyboard.press(key)
    await allow.click({ force: true })
    await page.clock.runFor(600)
    await expect(allow).toBeEnabled()
    // The focus is on the dialog, so these two keys press nothing later either.
    for (const key of ['Enter', 'Space']) await page.keyboard.press(key)
    await page.mouse.click(5, 5)
    await expect(dialog).toBeVisible()
    expect(put.answers).toEqual([])
    await page.clock.resume()
    await allow.dblclick()
    await expect(dialog).toBeHidden()
    expect(put.answers).toEqual([{ kind: 'allow', scope: 'once', target: 'tool' }])
  })

  test('a call can be allowed once, for a session, always, or denied', async ({
    app: { page },
  }) => {
    const put = await open(page)
    const answers = [
      ['Allow for this session', { kind: 'allow', scope: 'session', target: 'server' }],
      ['Always allow', { kind: 'allow', scope: 'always', target: 'tool' }],
      ['Deny', { kind: 'deny' }],
    ] as const
    const callOf = (place: number): UserRequestBody => ({
      ...CALL,
      arguments: shownRows({ disk: `sd${String(place)}` }),
    })
    put.put(answers.map(([label], place) => put.made(label, callOf(place), { agent: 'Claude' })))
    for (const [place, [label]] of answers.entries()) {
      const dialog = page.getByRole('dialog', { name: TITLE })
      // The previous one looks similar.
      await expect(dialog.getByRole('region', { name: 'Arguments' })).toContainText(
        `sd${String(place)}`,
      )
      await requestShown(page, TITLE)
      await expect(dialog).toContainText('Destructive.')
      await expect(dialog.getByRole('button', { name: 'Deny', exact: true })).toBeFocused()
      if (label === 'Allow for this session') {
        await dialog.getByRole('radio', { name: 'This session' }).check()
        await dialog
          .getByRole('combobox', { name: 'Tools to allow: This session' })
          .selectOption(`All tools of ${NAME}`)
      }
      if (label === 'Always allow') await dialog.getByRole('radio', { name: 'Always' }).check()
      await dialog.getByRole('button', { name: label }).click()
    }
    await expect(page.getByRole('dialog')).toBeHidden()
    expect(put.answers).toEqual(answers.map(([, answer]) => answer))
  })

  test('waiting calls are answered together', async ({ app: { page } }) => {
    const put = await open(page)
    const read = { ...CALL, tool: 'list', isDestructive: false, isReadOnly: true }
    const calls = [CALL, read, { ...read, arguments: shownRows({ page: 2 }) }, CALL]
    put.put(calls.map((body, place) => put.made(`q${String(place)}`, body, { agent: 'Claude' })))
    const dialog = await requestShown(page, TITLE)
    const others = dialog.getByRole('region', { name: 'Other waiting calls' })
    await expect(others).toContainText('3 more waiting')
    // Calls allowed together are listed with their arguments and the reason they are harmless.
    await expect(others.getByText('Marked read-only by the server')).toHaveCount(2)
    await expect(others.getByRole('listitem').last()).toContainText('page2')
    await others.getByRole('button', { name: 'Allow 2 read-only' }).click()
    await expect(others).toContainText('1 more waiting')
    await others.getByRole('button', { name: 'Deny all 2' }).click()
    await expect(page.getByRole('dialog')).toBeHidden()
    const allow = { kind: 'allow', scope: 'once', target: 'tool' }
    expect(put.answers).toEqual([allow, allow, { kind: 'deny' }, { kind: 'deny' }])
  })

  test("a call added to a group delays the group's buttons", async ({ app: { page } }) => {
    await page.clock.install()
    const put = await open(page)
    await page.clock.pauseAt(Date.now() + 60_000)
    const read = { ...CALL, tool: 'list', isDestructive: false, isReadOnly: true }
    const calls = [CALL, read, read].map((body, place) =>
      put.made(`q${String(place)}`, body, { agent: 'Claude', until: Date.now() + 600_000 }),
    )
    put.put(calls.slice(0, 2))
    const others = page.getByRole('region', { name: 'Other waiting calls' })
    await others.waitFor()
    await page.clock.runFor(600)
    await expect(others.getByRole('button', { name: 'Allow 1 read-only' })).toBeEnabled()
    put.put(calls)
    const allow = others.getByRole('button', { name: 'Allow 2 read-only' })
    await expect(allow).toBeDisabled()
    await page.clock.runFor(600)
    await expect(allow).toBeEnabled()
  })

  test('no argument hides another, and a partly read call is allowed only once', async ({
    app: { page },
  }) => {
    const put = await open(page)
    put.whole = 'All of it'
    const args = {
      note: `x${'\n'.repeat(500)}${' '.repeat(300)}y`,
      text: 'Lorem ipsum. '.repeat(3_000),
      mark: `e${'\u0301'.repeat(3_000)}`,
      amount: 992,
      payee: 'Mallory\u202e',
    }
    put.put([put.made('q', { ...CALL, arguments: shownRows(args) }, { agent: 'Claude' })])
    const dialog = await requestShown(page, TITLE)
    const rows = dialog.getByRole('region', { name: 'Arguments', exact: true })
    for (const text of ['992', 'Mallory<U+202E>', '500 line breaks', '2,997 combining marks'])
      await expect(rows.getByText(text)).toBeInViewport()
    await expect(dialog.getByRole('button', { name: 'Allow once' })).toBeEnabled()
    const session = dialog.getByRole('radio', { name: 'This session' })
    await expect(session).toBeDisabled()
    await rows.getByRole('button', { name: 'Show all of text: 38,760 more characters' }).click()
    await expect(rows.getByRole('region', { name: 'All of text' })).toHaveText('All of it')
    await expect(session).toBeEnabled()
  })

  test('a call with long arguments is allowed after its end was seen', async ({
    app: { page },
  }) => {
    const put = await open(page)
    const args = Object.fromEntries(Array.from({ length: 80 }, (_, n) => [`a${String(n)}`, n]))
    put.put([put.made('q', { ...CALL, arguments: shownRows(args) }, { agent: 'Claude' })])
    const dialog = await requestShown(page, TITLE)
    const allow = dialog.getByRole('button', { name: 'Allow once' })
    await expect(dialog).toContainText('Scroll to the end of the arguments')
    await expect(allow).toBeDisabled()
    await dialog.getByText('a79', { exact: true }).scrollIntoViewIfNeeded()
    await dialog.getByRole('radio', { name: 'Once' }).scrollIntoViewIfNeeded()
    await expect(allow).toBeEnabled()
  })

  test('a message waits until no approval is open that it could cover', async ({
    app: { page },
  }) => {
    const put = await open(page)
    put.put([put.made('q', FORM), put.made('r', CALL, { agent: 'Claude' })])
    await requestShown(page, `${NAME} asks for details`)
    put.put([put.made('r', CALL, { agent: 'Claude' })])
    const call = await requestShown(page, TITLE)
    const toast = page.getByText(/was canceled or answered elsewhere/u)
    await expect(toast).toBeHidden()
    await call.getByRole('button', { name: 'Deny', exact: true }).click()
    await expect(toast.first()).toBeVisible()
  })

  test('a page opens in a tab without access to the app, and is then reported as done', async ({
    app: { page },
  }) => {
    const put = await open(page)
    const url = new URL('#asked', page.url()).href
    const host = new URL(url).host
    put.put([put.made('q', { kind: 'page', message: 'Sign here.', url, host })])
    const dialog = await requestShown(page, `${NAME} asks you to open a page`)
    await expect(dialog.getByRole('region', { name: 'Address' })).toHaveText(url)
    await expect(dialog.locator('b')).toHaveText(host)
    await expect(dialog.getByRole('button', { name: 'Done' })).toBeHidden()
    const opened = page.context().waitForEvent('page')
    await dialog.getByRole('link', { name: 'Open page' }).click()
    const tab = await opened
    expect(await tab.evaluate<unknown>('window.opener')).toBeNull()
    await dialog.getByRole('button', { name: 'Done' }).click()
    await expect(dialog).toBeHidden()
    expect(put.answers).toEqual([{ kind: 'accept' }])
  })

  test('a canceled one disappears with a message, and keeps typed text when it returns', async ({
    app: { page },
  }) => {
    const put = await open(page)
    put.put([put.made('q', FORM, { until: Date.now() + 50_000 })])
    const dialog = await requestShown(page, `${NAME} asks for details`)
    await expect(dialog.getByRole('timer')).toContainText('s left')
    put.rename('Renamed')
    await requestShown(page, 'Renamed asks for details')
    put.rename(NAME)
    await dialog.getByRole('textbox', { name: 'user.name' }).fill('Ann')
    put.put([])
    await expect(dialog).toBeHidden()
    await expect(page.getByText(/was canceled or answered elsewhere/u).first()).toBeVisible()
    put.put([put.made('again', FORM)])
    await requestShown(page, `${NAME} asks for details`)
    await expect(dialog.getByRole('textbox', { name: 'user.name' })).toHaveValue('Ann')
  })
})

const CHOICES = ['a', 'b', 'c', 'd', 'e'].map((value) => ({ value, label: `Choice ${value}` }))
const INPUTS: readonly ElicitationField['input'][] = [
  { kind: 'text' },
  { kind: 'text', format: 'email' },
  { kind: 'text', format: 'date', default: '2026-03-31' },
  { kind: 'text', format: 'date-time' },
  { kind: 'number', isInteger: false },
  { kind: 'boolean' },
  { kind: 'choice', choices: CHOICES.slice(0, 3) },
  { kind: 'choice', choices: CHOICES },
  { kind: 'choices', choices: CHOICES },
]
const BODIES: readonly UserRequestBody[] = [
  {
    kind: 'form',
    message: 'What it needs. '.repeat(40),
    fields: INPUTS.map((input, index) => ({
      name: `field_${index}`,
      title: `Field ${index}`,
      description: 'What it is for.',
      isRequired: index % 2 === 0,
      input,
    })),
  },
  { kind: 'page', message: 'Look.', url: 'https://xn--pypal-4ve.com/a', host: 'xn--pypal-4ve.com' },
  {
    kind: 'call',
    tool: 'wipe',
    isDestructive: true,
    arguments: [
      { name: 'path', value: ['/tmp'], kind: 'text', more: 0 },
      {
        name: 'text',
        value: ['a', { fold: 'line break', count: 500 }],
        kind: 'text',
        more: 12_000,
      },
    ],
  },
]

test('the smallest window at 200% zoom still answers a request by keyboard alone', async ({
  app: { page },
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const put = await open(page)
  await openServer(page, NAME)
  await page.setViewportSize({ width: 450, height: 300 })
  put.put(BODIES.map((body) => put.made(body.kind, body)))
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Answer later' })).toBeEnabled()
  expect((await dialog.boundingBox())?.width).toBeLessThanOrEqual(450)
  const decline = dialog.getByRole('button', { name: 'Decline' })
  for (let step = 0; step < 60; step += 1) {
    await page.keyboard.press('Tab')
    if (await decline.and(page.locator(':focus')).isVisible()) break
  }
  await expect(decline).toBeFocused()
  await expect(decline).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(dialog).toContainText('asks you to open a page')
  expect(put.answers).toEqual([{ kind: 'decline' }])
})
