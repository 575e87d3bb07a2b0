// SPDX-License-Identifier: GPL-2.0
#include "invented.h"

int main(void)
{
	return !!(run_prototype_tests() + run_point_check_tests() + run_graph_functions_tests());
}
