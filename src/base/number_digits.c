/* number_digits.c - "%.17g" for rows of results, which takes the C library some 3000
 * instructions a number.
 *
 *     value = m 2^e,   10^k = p 2^q (1 + r),   N = round(m p 2^(e + q)),   10^16 <= N < 10^17
 * with integers m, p of 64 bits: |r| <= 2^-64, so that the product before rounding is off by
 * less than 10^17 2^-64 = 0.0055. Where it is within 1/64 of a half it is not known which way
 * to round, and the C library has to say. */
// SPDX-License-Identifier: BSD-3-Clause
#include "base/number.h"

#include <stdint.h>
#include <string.h>

enum { DIGITS = 17, LEAST_POWER = -22, MOST_POWER = 48 };

/* 10^k = p 2^q, p rounded to 64 bits, from LEAST_POWER on */
static const struct power {
    uint64_t p;
    int q;
} powers[MOST_POWER - LEAST_POWER + 1] = {
    {0xf1c90080baf72cb1U, -137}, {0x971da05074da7befU, -133}, {0xbce5086492111aebU, -130},
    {0xec1e4a7db69561a5U, -127}, {0x9392ee8e921d5d07U, -123}, {0xb877aa3236a4b449U, -120},
    {0xe69594bec44de15bU, -117}, {0x901d7cf73ab0acd9U, -113}, {0xb424dc35095cd80fU, -110},
    {0xe12e13424bb40e13U, -107}, {0x8cbccc096f5088ccU, -103}, {0xafebff0bcb24aaffU, -100},
    {0xdbe6fecebdedd5bfU, -97},  {0x89705f4136b4a597U, -93},  {0xabcc77118461cefdU, -90},
    {0xd6bf94d5e57a42bcU, -87},  {0x8637bd05af6c69b6U, -83},  {0xa7c5ac471b478423U, -80},
    {0xd1b71758e219652cU, -77},  {0x83126e978d4fdf3bU, -73},  {0xa3d70a3d70a3d70aU, -70},
    {0xcccccccccccccccdU, -67},  {0x8000000000000000U, -63},  {0xa000000000000000U, -60},
    {0xc800000000000000U, -57},  {0xfa00000000000000U, -54},  {0x9c40000000000000U, -50},
    {0xc350000000000000U, -47},  {0xf424000000000000U, -44},  {0x9896800000000000U, -40},
    {0xbebc200000000000U, -37},  {0xee6b280000000000U, -34},  {0x9502f90000000000U, -30},
    {0xba43b74000000000U, -27},  {0xe8d4a51000000000U, -24},  {0x9184e72a00000000U, -20},
    {0xb5e620f480000000U, -17},  {0xe35fa931a0000000U, -14},  {0x8e1bc9bf04000000U, -10},
    {0xb1a2bc2ec5000000U, -7},   {0xde0b6b3a76400000U, -4},   {0x8ac7230489e80000U, 0},
    {0xad78ebc5ac620000U, 3},    {0xd8d726b7177a8000U, 6},    {0x878678326eac9000U, 10},
    {0xa968163f0a57b400U, 13},   {0xd3c21bcecceda100U, 16},   {0x84595161401484a0U, 20},
    {0xa56fa5b99019a5c8U, 23},   {0xcecb8f27f4200f3aU, 26},   {0x813f3978f8940984U, 30},
    {0xa18f07d736b90be5U, 33},   {0xc9f2c9cd04674edfU, 36},   {0xfc6f7c4045812296U, 39},
    {0x9dc5ada82b70b59eU, 43},   {0xc5371912364ce305U, 46},   {0xf684df56c3e01bc7U, 49},
    {0x9a130b963a6c115cU, 53},   {0xc097ce7bc90715b3U, 56},   {0xf0bdc21abb48db20U, 59},
    {0x96769950b50d88f4U, 63},   {0xbc143fa4e250eb31U, 66},   {0xeb194f8e1ae525fdU, 69},
    {0x92efd1b8d0cf37beU, 73},   {0xb7abc627050305aeU, 76},   {0xe596b7b0c643c719U, 79},
    {0x8f7e32ce7bea5c70U, 83},   {0xb35dbf821ae4f38cU, 86},   {0xe0352f62a19e306fU, 89},
    {0x8c213d9da502de45U, 93},   {0xaf298d050e4395d7U, 96},
};

/* high half of a b */
static inline uint64_t multiply(uint64_t a, uint64_t b, uint64_t *low)
{
    const uint64_t half = 0xffffffffU;
    const uint64_t a0 = a & half, a1 = a >> 32, b0 = b & half, b1 = b >> 32;
    const uint64_t middle = a1 * b0 + (a0 * b0 >> 32), other = a0 * b1 + (middle & half);
    *low = a * b;
    return a1 * b1 + (middle >> 32) + (other >> 32);
}

/* N, and x such that value = N 10^(x - 16); 0: not certain */
static uint64_t find_digits(uint64_t bits, int *x)
{
    const uint64_t most = 100000000000000000U, half = (uint64_t)1 << 63;
    const uint64_t doubt = (uint64_t)1 << 58; /* 1/64 */
    const int field = (int)(bits >> 52 & 0x7ff), e = field - 1086;
    const uint64_t m = (bits << 11) | half;
    /* of the largest power of two that is not above value, rounded down: x or x - 1 */
    const double logarithm = 0.30102999566398120 * (e + 63);
    *x = (int)logarithm - (logarithm < 0.0);
    if (field == 0 || field == 0x7ff) {
        return 0;
    }
    for (int i = 0; i < 2; i++, ++*x) {
        const int k = DIGITS - 1 - *x;
        if (k < LEAST_POWER || k > MOST_POWER) {
            return 0;
        }
        const struct power *power = &powers[k - LEAST_POWER];
        const int shift = -(e + power->q); /* 69 to 75 */
        uint64_t low;
        const uint64_t high = multiply(m, power->p, &low), whole = high >> (shift - 64);
        const uint64_t part = high << (128 - shift) | low >> (shift - 64);
        if (whole >= most) {
            continue;
        }
        if (part - (half - doubt) <= 2 * doubt) {
            return 0;
        }
        const uint64_t rounded = whole + (part >> 63);
        *x += rounded == most;
        return rounded == most ? most / 10 : rounded;
    }
    return 0;
}

static inline size_t put(char *out, size_t length, const char *text, size_t count)
{
    memcpy(out + length, text, count);
    return length + count;
}

size_t crank_number_print_17(char *out, double value)
{
    uint64_t bits;
    int x;
    char digit[DIGITS];
    memcpy(&bits, &value, sizeof bits);
    uint64_t rest = find_digits(bits, &x);
    if (rest == 0) {
        return 0;
    }
    for (int i = DIGITS - 1; i >= 0; i--, rest /= 10) {
        digit[i] = (char)('0' + rest % 10);
    }
    size_t count = DIGITS, length = 0;
    while (count > 1 && digit[count - 1] == '0') {
        count--;
    }
    if (bits >> 63 != 0) {
        out[length++] = '-';
    }
    const bool exponent = x < -4 || x >= DIGITS;
    const size_t before = exponent ? 1 : x < 0 ? 0 : (size_t)x + 1; /* the point */
    if (before == 0) {
        length = put(out, length, "0.000", (size_t)(1 - x));
        return put(out, length, digit, count);
    }
    length = put(out, length, digit, before);
    if (count > before) {
        out[length++] = '.';
        length = put(out, length, digit + before, count - before);
    }
    if (exponent) {
        const int size = x < 0 ? -x : x; /* below 100, by the table */
        const char text[4] = {'e', x < 0 ? '-' : '+', (char)('0' + size / 10),
                              (char)('0' + size % 10)};
        length = put(out, length, text, sizeof text);
    }
    return length;
}
