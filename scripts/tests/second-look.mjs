// A test that fails once and passes alone is printed as flaky and doesn't fail the run; fix its cause.
const MAX_FAILED = 5
const MAX_FLAKY = 3
const LOOKS = 2

/**
 * Runs the failed tests of these parts again, each part alone with one worker, at most twice. `parts` are `{ runner, outcome }`; returns `{
 * flaky, failed, defects }`, where a flaky one has the first failure's `errors` and `again` of a second. Many failures, and errors outside
 * tests, are defects and not retried.
 */
export function lookAgain(parts) {
  const failed = parts.flatMap(({ outcome }) => failedOf(outcome))
  const defects = parts.flatMap(({ outcome }) => outcome.defects)
  if (failed.length > MAX_FAILED || defects.length > 0) return { flaky: [], failed, defects }
  const looked = parts.map(({ runner, outcome }) => lookAt(runner, failedOf(outcome)))
  const flaky = looked.flatMap((part) => part.flaky)
  const isTooMany = flaky.length > MAX_FLAKY
  return {
    flaky,
    failed: looked.flatMap((part) => part.failed),
    defects: [
      ...looked.flatMap((part) => part.defects),
      ...(isTooMany ? [`${flaky.length} flaky tests; at most ${MAX_FLAKY} may be.`] : []),
    ],
  }
}

function lookAt(runner, first) {
  const flaky = []
  const defects = []
  let failed = first
  for (let look = 1; look <= LOOKS && failed.length > 0; look++) {
    const outcome = runner.again(failed, look)
    defects.push(...outcome.defects)
    const now = new Map(outcome.tests.map((test) => [keyOf(test), test]))
    const hasPassed = (test) => now.get(keyOf(test))?.status === 'passed'
    flaky.push(...failed.filter(hasPassed))
    failed = failed
      .filter((test) => !hasPassed(test))
      .map((test) => ({ ...test, again: now.get(keyOf(test))?.errors ?? [] }))
  }
  return { flaky, failed, defects }
}

function failedOf({ tests }) {
  return tests.filter(({ status }) => status === 'failed')
}

function keyOf({ file, title }) {
  return `${file} › ${title}`
}
