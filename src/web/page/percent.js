/** Percent: shares as they stand in the columns of the page, each with one decimal. */

/** Return a percentage with one decimal; a smaller one than can be shown is "<0.1%". */
export const shortPercent = value => value > 0 && value < 0.05 ? '<0.1%' : value.toFixed(1) + '%';
