// SPDX-License-Identifier: GPL-2.0
/* Edit distance between a mistyped word and a known one (optimal string alignment). */
#include <stdbool.h>
#include <string.h>

#include "nearest.h"

#define LONGEST 32
#define FAR	(NEAREST_MAX + 1)

static unsigned int min_of(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}

unsigned int nearest_distance(const char *written, const char *word)
{
	unsigned int cost[LONGEST + 1][LONGEST + 1];
	const size_t n = strlen(written), m = strlen(word);

	if (n > LONGEST || m > LONGEST)
		return FAR;
	if (n >= 3 && !strncmp(written, word, n))
		return m > n;
	for (size_t i = 0; i <= n; i++) {
		for (size_t j = 0; j <= m; j++) {
			if (!i || !j) {
				cost[i][j] = i + j;
				continue;
			}
			cost[i][j] = min_of(cost[i - 1][j - 1] + (written[i - 1] != word[j - 1]),
					    min_of(cost[i - 1][j], cost[i][j - 1]) + 1);
			if (i > 1 && j > 1 && written[i - 1] == word[j - 2] &&
			    written[i - 2] == word[j - 1])
				cost[i][j] = min_of(cost[i][j], cost[i - 2][j - 2] + 1);
		}
	}
	return cost[n][m];
}
