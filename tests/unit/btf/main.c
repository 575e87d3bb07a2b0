// SPDX-License-Identifier: GPL-2.0
#include "invented.h"

int main(void)
{
	return !!(run_prototype_tests() + run_candidate_tests() + run_selection_tests());
}
