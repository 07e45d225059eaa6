import { expectStatus } from './fixtures/drive'
import { GuardedServer } from './fixtures/guarded-server'
import { expect, test } from './fixtures/patchbay-test'
import { decide, GUARDED_NAME as NAME, openPage, setUpGuarded } from './fixtures/sign-in-page'

let guarded: GuardedServer
test.beforeEach(async () => {
  guarded = await GuardedServer.open()
})
test.afterEach(async () => {
  await guarded[Symbol.asyncDispose]()
})

/** Counts how often a session that is let in reads the tools: once for each start. */
function countLists(): () => number {
  const { remote } = guarded
  const { intercept } = remote
  let lists = 0
  remote.intercept = (request, response) => {
    const isRefused = intercept(request, response)
    if (!isRefused && request.headers['mcp-method'] === 'tools/list') lists += 1
    return isRefused
  }
  return () => lists
}

test.describe('C10: the tokens of a sign-in', () => {
  test('the access token works to its end where the refresh token is dead, and then a person is asked', async ({
    app: { page },
  }) => {
    const { authorization } = guarded
    const lists = countLists()
    await setUpGuarded(page, guarded)
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
    authorization.forgetRefresh()
    const restart = page.getByRole('button', { name: 'Restart', exact: true })
    await restart.click()
    await expect.poll(lists).toBe(2)
    await expectStatus(page, NAME, 'Ready')
    await expect(page.getByRole('definition').filter({ hasText: /^Signed in$/ })).toBeVisible()
    expect(authorization.refreshes).toBe(0)

    authorization.expireAll()
    await restart.click()
    await expectStatus(page, NAME, 'Sign-in needed')
    expect([authorization.refreshes, lists()]).toEqual([1, 2])
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
    expect(lists()).toBe(3)
  })
})

test.describe('C10: a sign-in that is taken back', () => {
  test.use({ settings: { healthMs: 500 } })

  test('in the middle of a session is noticed without a restart, and asked for again', async ({
    app: { page },
  }) => {
    const { authorization } = guarded
    const lists = countLists()
    await setUpGuarded(page, guarded)
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')

    // Of the access token alone: another one is made without a word.
    authorization.expireAll()
    await expect.poll(() => authorization.refreshes).toBe(1)
    await expectStatus(page, NAME, 'Ready')
    await expect(page.getByRole('definition').filter({ hasText: /^Signed in$/ })).toBeVisible()
    expect(lists()).toBe(1)

    authorization.forgetAll()
    await expectStatus(page, NAME, 'Sign-in needed')
    await expect(page.getByRole('main')).toContainText('is no longer accepted')
    await expect(page.getByRole('definition').filter({ hasText: /^Signed in$/ })).toBeHidden()
    expect([authorization.refreshes, lists()]).toEqual([2, 1])
    await decide(await openPage(page, guarded), 'Allow')
    await expectStatus(page, NAME, 'Ready')
    expect(lists()).toBe(2)
  })
})
