// SPDX-License-Identifier: GPL-2.0
/* field_condition.c - compile a condition on fields of struct sk_buff, for the option --where */
#include <bpf/btf.h>
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "filter/field_condition.h"

#define MAX_TYPES  32
#define MAX_NESTED 32
#define NAME_LEN   64

/*
 * struct compiler - state while a condition is compiled
 * @text: the whole condition
 * @at: the part of @text that was not read yet
 * @depth: number of values on the stack after the module has executed the steps so far
 * @nested: number of parentheses and unary operators that are open at this place
 */
struct compiler {
	const struct btf *btf;
	const char *text, *at;
	struct record_skb_options *settings;
	unsigned int depth, nested;
	struct err *err;
};

/*
 * struct place - a field of struct sk_buff: its type, its first bit, and for a bit field its number of bits
 */
struct place {
	const struct btf_type *type;
	unsigned int bit, bits;
	bool big_endian;
};

static int fail(struct compiler *c, const char *why)
{
	return err_set(c->err, "--where '%s': %s at '%s'", c->text, why,
		       *c->at ? c->at : "the end");
}

static int add_step(struct compiler *c, const struct record_skb_step *step)
{
	struct record_skb_options *o = c->settings;
	const int taken = step->kind <= RECORD_SKB_STEP_FIELD  ? 0 :
			  step->kind <= RECORD_SKB_STEP_NEGATE ? 1 :
								 2;

	c->depth += 1 - taken;
	if (o->nr_steps == RECORD_SKB_MAX_STEPS || c->depth > RECORD_SKB_MAX_DEPTH)
		return err_set(c->err, "--where '%s' is too long", c->text);
	o->steps[o->nr_steps++] = *step;
	return 0;
}

/*
 * If the type of a field is a typedef or has qualifiers, replace it by the type that they refer to. Set
 * place->big_endian for typedefs such as __be16.
 */
static void make_plain(const struct btf *btf, struct place *place)
{
	const char *name;

	for (int i = 0; i < MAX_TYPES && place->type; i++) {
		if (!btf_is_mod(place->type) && !btf_is_typedef(place->type) &&
		    !btf_is_type_tag(place->type))
			return;
		name = btf__name_by_offset(btf, place->type->name_off);
		place->big_endian |= btf_is_typedef(place->type) && !strncmp(name, "__be", 4);
		place->type = btf__type_by_id(btf, place->type->type);
	}
	place->type = NULL;
}

/*
 * Find the member @name of a structure or union. Also search unnamed structures and unions in it. Return true
 * if the member was found.
 */
static bool find_member(const struct btf *btf, const struct btf_type *type, const char *name,
			struct place *place, int nested)
{
	const struct btf_member *member = btf_members(type);

	for (int i = 0; i < btf_vlen(type) && nested < MAX_TYPES; i++, member++) {
		const char *own = btf__name_by_offset(btf, member->name_off);
		struct place inner = {
			.type = btf__type_by_id(btf, member->type),
			.bit = place->bit + btf_member_bit_offset(type, i),
			.bits = btf_member_bitfield_size(type, i),
		};

		make_plain(btf, &inner);
		if (!strcmp(own, name)) {
			*place = inner;
			return true;
		}
		if (!*own && inner.type && btf_is_composite(inner.type) &&
		    find_member(btf, inner.type, name, &inner, nested + 1)) {
			*place = inner;
			return true;
		}
	}
	return false;
}

static int take_index(struct compiler *c, struct place *place)
{
	const struct btf_array *array;
	unsigned long index;
	char *end;

	if (!btf_is_array(place->type))
		return fail(c, "the field is not an array");
	array = btf_array(place->type);
	c->at++;
	index = strtoul(c->at, &end, 0);
	if (!isdigit((unsigned char)*c->at) || *end != ']' || index >= array->nelems)
		return fail(c, "this is not an element of the array");
	c->at = end + 1;
	place->bit += 8 * index * btf__resolve_size(c->btf, array->type);
	place->type = btf__type_by_id(c->btf, array->type);
	make_plain(c->btf, place);
	return 0;
}

static int add_field(struct compiler *c, const struct place *place, const char *name)
{
	const bool is_number = place->type && (btf_is_int(place->type) || btf_is_ptr(place->type) ||
					       btf_is_any_enum(place->type));
	struct record_skb_step step = { .kind = RECORD_SKB_STEP_FIELD };
	const __s64 size = is_number && !btf_is_ptr(place->type) ? place->type->size : 8;

	if (!is_number || (size != 1 && size != 2 && size != 4 && size != 8))
		return err_set(c->err, "--where '%s': the field %s is not a number", c->text, name);
	step.size = size;
	step.offset = place->bit / 8;
	if (place->bits) {
		/*
		 * A bit field can extend over two units of its type, so read all bytes that contain bits of
		 * the field.
		 */
		step.bits = place->bits;
		step.shift = place->bit % 8;
		for (step.size = 1; 8 * step.size < step.shift + step.bits; step.size *= 2)
			;
	}
	if (btf_is_int(place->type) && btf_int_encoding(place->type) & BTF_INT_SIGNED)
		step.flags |= RECORD_SKB_FIELD_SIGNED;
	if (place->big_endian)
		step.flags |= RECORD_SKB_FIELD_BIG_ENDIAN;
	return add_step(c, &step);
}

static void take_name(struct compiler *c, char *name)
{
	size_t len = 0;

	while (isalnum((unsigned char)*c->at) || *c->at == '_') {
		if (len < NAME_LEN - 1)
			name[len++] = *c->at;
		c->at++;
	}
	name[len] = '\0';
}

static int compile_field(struct compiler *c)
{
	const int id = btf__find_by_name_kind(c->btf, "sk_buff", BTF_KIND_STRUCT);
	struct place place = { .type = id < 0 ? NULL : btf__type_by_id(c->btf, id) };
	char name[NAME_LEN];

	if (!place.type)
		return err_set(c->err, "--where needs BTF with struct sk_buff");
	do {
		c->at += *c->at == '.';
		take_name(c, name);
		if (!*name || !btf_is_composite(place.type))
			return fail(c, "a field is missing");
		if (!find_member(c->btf, place.type, name, &place, 0))
			return err_set(
				c->err,
				"--where '%s': struct sk_buff of this kernel has no field '%s' "
				"(see 'bpftool btf dump file /sys/kernel/btf/vmlinux format c')",
				c->text, name);
		while (*c->at == '[')
			if (take_index(c, &place))
				return -1;
	} while (*c->at == '.');
	if (c->at[0] == '-' && c->at[1] == '>')
		return fail(c, "pointers are not followed");
	return add_field(c, &place, name);
}

static void skip_space(struct compiler *c)
{
	while (isspace((unsigned char)*c->at))
		c->at++;
}

static int compile_number(struct compiler *c)
{
	struct record_skb_step step = { .kind = RECORD_SKB_STEP_NUMBER };
	char *end;

	errno = 0;
	step.value = strtoull(c->at, &end, 0);
	if (errno || isalnum((unsigned char)*end) || *end == '_')
		return fail(c, "this is not a number");
	c->at = end;
	return add_step(c, &step);
}

static int compile_level(struct compiler *c, int level);

/* Compile a number, a field, or an expression in parentheses. A unary operator may precede it. */
static int compile_value(struct compiler *c)
{
	static const char operators[] = "!~-";
	struct record_skb_step step = {};
	const char *op;
	int ret;

	skip_space(c);
	op = *c->at ? strchr(operators, *c->at) : NULL;
	if (++c->nested > MAX_NESTED)
		return err_set(c->err, "--where '%s' is too long", c->text);
	if (op) {
		c->at++;
		step.kind = RECORD_SKB_STEP_NOT + (op - operators);
		ret = compile_value(c) || add_step(c, &step) ? -1 : 0;
	} else if (*c->at == '(') {
		c->at++;
		ret = compile_level(c, 0);
		skip_space(c);
		if (!ret && *c->at != ')')
			ret = fail(c, "a ')' is missing");
		else
			c->at++;
	} else if (isdigit((unsigned char)*c->at)) {
		ret = compile_number(c);
	} else if (isalpha((unsigned char)*c->at) || *c->at == '_') {
		ret = compile_field(c);
	} else {
		ret = fail(c, "a field or a number is missing");
	}
	c->nested--;
	return ret;
}

/*
 * The binary operators of C, by precedence. If one operator is the beginning of another one, such as "<" and
 * "<=", the longer one comes first.
 */
static const struct operator
{
	int level;
	const char *text, *not_before;
	unsigned char kind;
}
binary[] = {
	{ 0, "||", "", RECORD_SKB_STEP_OR },	      { 1, "&&", "", RECORD_SKB_STEP_AND },
	{ 2, "|", "|", RECORD_SKB_STEP_BIT_OR },      { 3, "^", "", RECORD_SKB_STEP_BIT_XOR },
	{ 4, "&", "&", RECORD_SKB_STEP_BIT_AND },     { 5, "==", "", RECORD_SKB_STEP_EQUAL },
	{ 5, "!=", "", RECORD_SKB_STEP_UNEQUAL },     { 6, "<=", "", RECORD_SKB_STEP_AT_MOST },
	{ 6, ">=", "", RECORD_SKB_STEP_AT_LEAST },    { 6, "<", "<", RECORD_SKB_STEP_LESS },
	{ 6, ">", ">", RECORD_SKB_STEP_MORE },	      { 7, "<<", "", RECORD_SKB_STEP_SHIFT_LEFT },
	{ 7, ">>", "", RECORD_SKB_STEP_SHIFT_RIGHT }, { 8, "+", "", RECORD_SKB_STEP_ADD },
	{ 8, "-", "", RECORD_SKB_STEP_SUBTRACT },
};

#define HIGHEST_LEVEL 8

static const struct operator* take_operator(struct compiler *c, int level)
{
	skip_space(c);
	for (size_t i = 0; i < sizeof(binary) / sizeof(binary[0]); i++) {
		const size_t len = strlen(binary[i].text);

		if (binary[i].level != level || strncmp(c->at, binary[i].text, len) ||
		    (*binary[i].not_before && c->at[len] == *binary[i].not_before))
			continue;
		c->at += len;
		return &binary[i];
	}
	return NULL;
}

/* Compile an expression of binary operators with the precedence @level or a higher one. */
static int compile_level(struct compiler *c, int level)
{
	const struct operator* op;

	if (level > HIGHEST_LEVEL)
		return compile_value(c);
	if (compile_level(c, level + 1))
		return -1;
	while ((op = take_operator(c, level))) {
		const struct record_skb_step step = { .kind = op->kind };

		if (compile_level(c, level + 1) || add_step(c, &step))
			return -1;
	}
	return 0;
}

int where_compile(const struct btf *btf, const char *text, struct record_skb_options *settings,
		  struct err *err)
{
	struct compiler c = {
		.btf = btf,
		.text = text,
		.at = text,
		.settings = settings,
		.err = err,
	};

	settings->nr_steps = 0;
	if (compile_level(&c, 0))
		return -1;
	skip_space(&c);
	return *c.at ? fail(&c, "an operator is missing") : 0;
}

int where_compile_here(const char *text, struct record_skb_options *settings, struct err *err)
{
	struct btf *btf = btf__load_vmlinux_btf();
	int ret;

	if (!btf)
		return err_set(err,
			       "--where needs /sys/kernel/btf/vmlinux, which this kernel lacks");
	ret = where_compile(btf, text, settings, err);
	btf__free(btf);
	return ret;
}
