;; Compares bit planes of codes with a question. README.md explains how it is used.
(module
  (import "host" "memory" (memory 2))

  ;; For each block of 16 codes: the sum of the question's numbers whose bit is set in the sign plane,
  ;; for each code, and the highest estimate of those that are wanted. A sum is looked up for every half byte, in 16
  ;; codes at once.
  (func (export "scan")
    (param $addresses i32) ;; address of the list of block addresses, 4 bytes each. A block consists of
                           ;; the first bytes of its 16 sign planes, their second bytes, ..., and the
                           ;; 16 factors of the codes
    (param $passing i32)   ;; address of a bit for each code, 2 bytes a block: whether it is wanted
    (param $count i32)     ;; number of blocks, at least 1
    (param $table i32)     ;; address of the sums: for each byte of a plane, 16 for the values of its
                           ;; lower half, then 16 for those of its upper half, from 0 to 127
    (param $zero f32)      ;; the sum whose estimate is 0
    (param $factor f32)    ;; converts a sum multiplied by a code's factor to an estimate
    (param $sums i32)      ;; address of the sums, 2 bytes each
    (param $highest i32)   ;; address of the highest estimates, 4 bytes each
    (local $bytes i32) (local $entry i32) (local $end i32)
    (local $found v128) (local $even v128) (local $odd v128) (local $low v128) (local $high v128)
    (local $half v128) (local $zeros v128) (local $wanted v128)

    (local.set $half (i8x16.splat (i32.const 15)))
    (local.set $zeros (f32x4.splat (local.get $zero)))
    (local.set $end (i32.add (local.get $table) (i32.const 6144)))
    (loop $blocks
      (local.set $bytes (i32.load (local.get $addresses)))
      (local.set $entry (local.get $table))
      (local.set $even (v128.const i32x4 0 0 0 0))
      (local.set $odd (v128.const i32x4 0 0 0 0))

      ;; Two sums fit into a byte. $odd sums up the odd bytes, $even both: the odd ones 256 times.
      (loop $planes
        (local.set $found (v128.load (local.get $bytes)))
        (local.set $found (i8x16.add
          (i8x16.relaxed_swizzle
            (v128.load (local.get $entry))
            (v128.and (local.get $found) (local.get $half)))
          (i8x16.relaxed_swizzle
            (v128.load offset=16 (local.get $entry))
            (v128.and (i16x8.shr_u (local.get $found) (i32.const 4)) (local.get $half)))))
        (local.set $even (i16x8.add (local.get $even) (local.get $found)))
        (local.set $odd (i16x8.add
          (local.get $odd)
          (i16x8.shr_u (local.get $found) (i32.const 8))))
        (local.set $bytes (i32.add (local.get $bytes) (i32.const 16)))
        (local.set $entry (i32.add (local.get $entry) (i32.const 32)))
        (br_if $planes (i32.lt_u (local.get $entry) (local.get $end))))

      (local.set $even (i16x8.sub
        (local.get $even)
        (i16x8.shl (local.get $odd) (i32.const 8))))
      (local.set $low (i8x16.shuffle 0 1 16 17 2 3 18 19 4 5 20 21 6 7 22 23
        (local.get $even) (local.get $odd)))
      (local.set $high (i8x16.shuffle 8 9 24 25 10 11 26 27 12 13 28 29 14 15 30 31
        (local.get $even) (local.get $odd)))
      (v128.store (local.get $sums) (local.get $low))
      (v128.store offset=16 (local.get $sums) (local.get $high))

      ;; No code has a lower sum than 0.
      (local.set $wanted (i16x8.splat (i32.load16_u (local.get $passing))))
      (local.set $low (v128.and (local.get $low) (i16x8.ne
        (v128.and (local.get $wanted) (v128.const i16x8 1 2 4 8 16 32 64 128))
        (v128.const i16x8 0 0 0 0 0 0 0 0))))
      (local.set $high (v128.and (local.get $high) (i16x8.ne
        (v128.and (local.get $wanted) (v128.const i16x8 256 512 1024 2048 4096 8192 16384 32768))
        (v128.const i16x8 0 0 0 0 0 0 0 0))))

      ;; $bytes is the address of the factors now.
      (local.set $found (f32x4.max
        (f32x4.max
          (f32x4.mul (v128.load (local.get $bytes)) (f32x4.sub
            (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $low)))
            (local.get $zeros)))
          (f32x4.mul (v128.load offset=16 (local.get $bytes)) (f32x4.sub
            (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $low)))
            (local.get $zeros))))
        (f32x4.max
          (f32x4.mul (v128.load offset=32 (local.get $bytes)) (f32x4.sub
            (f32x4.convert_i32x4_u (i32x4.extend_low_i16x8_u (local.get $high)))
            (local.get $zeros)))
          (f32x4.mul (v128.load offset=48 (local.get $bytes)) (f32x4.sub
            (f32x4.convert_i32x4_u (i32x4.extend_high_i16x8_u (local.get $high)))
            (local.get $zeros))))))
      (f32.store (local.get $highest) (f32.mul
        (local.get $factor)
        (f32.max
          (f32.max
            (f32x4.extract_lane 0 (local.get $found))
            (f32x4.extract_lane 1 (local.get $found)))
          (f32.max
            (f32x4.extract_lane 2 (local.get $found))
            (f32x4.extract_lane 3 (local.get $found))))))

      (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
      (local.set $passing (i32.add (local.get $passing) (i32.const 2)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 32)))
      (local.set $highest (i32.add (local.get $highest) (i32.const 4)))
      (br_if $blocks (local.tee $count (i32.sub (local.get $count) (i32.const 1))))))

  ;; Of some codes, those whose estimates from two planes, and then from all four, are not below their
  ;; lower bounds. The bound depends on the error of the code: $highest - sqrt($slope * error + $constant).
  (func (export "refine")
    (param $codes i32)    ;; address of the list of code addresses, 4 bytes each. A code consists of
                          ;; the factor and the error of all planes, those of the two upper ones, and
                          ;; the planes but that of the signs
    (param $sums i32)     ;; address of the sums over the sign planes, 4 bytes each
    (param $count i32)    ;; number of codes, at least 1
    (param $question i32) ;; address of the question, see $sum
    (param $total f64)    ;; the sum of the question's numbers
    (param $factor f64)   ;; converts a sum multiplied by a code's factor to an estimate
    (param $highest f64)
    (param $slope f64)
    (param $constant f64)
    (param $found i32)    ;; address of the results, 16 bytes each: the index of the code in the list,
                          ;; its error with all planes, and its estimate
    (result i32)          ;; number of results
    (local $index i32) (local $code i32) (local $level_sum i32) (local $estimate f64)
    (local $next i32) (local $ahead i32) (local $touched i32)

    (local.set $next (local.get $found))
    (loop $each
      ;; Reads a byte of every cache line of the second planes of the next 16 codes. The codes are
      ;; far from each other, and waiting for all of them at once takes a third of the time.
      (if (i32.eqz (i32.and (local.get $index) (i32.const 15)))
        (then
          (local.set $ahead (i32.const 0))
          (loop $touch
            (local.set $code (i32.load (i32.add
              (local.get $codes)
              (i32.shl (local.get $ahead) (i32.const 2)))))
            (local.set $touched (i32.or
              (local.get $touched)
              (i32.or
                (i32.or
                  (i32.load8_u offset=16 (local.get $code))
                  (i32.load8_u offset=80 (local.get $code)))
                (i32.or
                  (i32.load8_u offset=144 (local.get $code))
                  (i32.load8_u offset=207 (local.get $code))))))
            (local.set $ahead (i32.add (local.get $ahead) (i32.const 1)))
            (br_if $touch (i32.and
              (i32.lt_u (local.get $ahead) (i32.const 16))
              (i32.lt_u (i32.add (local.get $index) (local.get $ahead)) (local.get $count)))))))

      (local.set $code (i32.load (local.get $codes)))
      (local.set $level_sum (i32.add
        (i32.shl (i32.load (local.get $sums)) (i32.const 1))
        (call $sum (i32.add (local.get $code) (i32.const 16)) (local.get $question))))

      ;; Levels are centred on zero: half of the highest level is subtracted from each.
      (local.set $estimate (f64.mul
        (f64.mul
          (f64.sub
            (f64.convert_i32_s (local.get $level_sum))
            (f64.mul (local.get $total) (f64.const 1.5)))
          (local.get $factor))
        (f64.promote_f32 (f32.load offset=8 (local.get $code)))))
      (if
        (f64.ge (local.get $estimate) (f64.sub (local.get $highest) (f64.sqrt (f64.add
          (f64.mul (local.get $slope) (f64.promote_f32 (f32.load offset=12 (local.get $code))))
          (local.get $constant)))))
        (then
          (local.set $level_sum (i32.add
            (i32.shl (local.get $level_sum) (i32.const 2))
            (i32.add
              (i32.shl
                (call $sum (i32.add (local.get $code) (i32.const 208)) (local.get $question))
                (i32.const 1))
              (call $sum (i32.add (local.get $code) (i32.const 400)) (local.get $question)))))
          (local.set $estimate (f64.mul
            (f64.mul
              (f64.sub
                (f64.convert_i32_s (local.get $level_sum))
                (f64.mul (local.get $total) (f64.const 7.5)))
              (local.get $factor))
            (f64.promote_f32 (f32.load (local.get $code)))))
          (if
            (f64.ge (local.get $estimate) (f64.sub (local.get $highest) (f64.sqrt (f64.add
              (f64.mul (local.get $slope) (f64.promote_f32 (f32.load offset=4 (local.get $code))))
              (local.get $constant)))))
            (then
              (i32.store (local.get $next) (local.get $index))
              (f32.store offset=4 (local.get $next) (f32.load offset=4 (local.get $code)))
              (f64.store offset=8 (local.get $next) (local.get $estimate))
              (local.set $next (i32.add (local.get $next) (i32.const 16)))))))

      (local.set $codes (i32.add (local.get $codes) (i32.const 4)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
      (br_if $each (i32.lt_u
        (local.tee $index (i32.add (local.get $index) (i32.const 1)))
        (local.get $count))))
    (i32.add
      (i32.shr_u (i32.sub (local.get $next) (local.get $found)) (i32.const 4))
      ;; Always 0: without a use, the reads ahead would be optimized away.
      (i32.shr_u (local.get $touched) (i32.const 8))))

  ;; The sum of the question's 1,536 numbers whose bit is set in a plane.
  (func $sum
    (param $plane i32)    ;; address of the plane
    (param $number i32)   ;; address of the question: for every 16 bytes of a plane, the 16 numbers for
                          ;; the lowest bits of these bytes, then those for the next bits, ...
    (result i32)
    (local $end i32) (local $bits v128)
    (local $bit0 v128) (local $bit1 v128) (local $bit2 v128) (local $bit3 v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (local.set $bit0 (i8x16.splat (i32.const 1)))
    (local.set $bit1 (i8x16.splat (i32.const 2)))
    (local.set $bit2 (i8x16.splat (i32.const 4)))
    (local.set $bit3 (i8x16.splat (i32.const 8)))
    (local.set $end (i32.add (local.get $number) (i32.const 1536)))

    ;; Bits are not shifted within a half byte, so the sums are 1, 2, 4 and 8 times too large.
    (loop $blocks
      (local.set $bits (v128.load (local.get $plane)))
      (local.set $sum0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load (local.get $number))
        (v128.and (local.get $bits) (local.get $bit0)) (local.get $sum0)))
      (local.set $sum1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=16 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit1)) (local.get $sum1)))
      (local.set $sum2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=32 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit2)) (local.get $sum2)))
      (local.set $sum3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=48 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit3)) (local.get $sum3)))

      (local.set $bits (i16x8.shr_u (local.get $bits) (i32.const 4)))
      (local.set $sum0 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=64 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit0)) (local.get $sum0)))
      (local.set $sum1 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=80 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit1)) (local.get $sum1)))
      (local.set $sum2 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=96 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit2)) (local.get $sum2)))
      (local.set $sum3 (i32x4.relaxed_dot_i8x16_i7x16_add_s
        (v128.load offset=112 (local.get $number))
        (v128.and (local.get $bits) (local.get $bit3)) (local.get $sum3)))

      (local.set $plane (i32.add (local.get $plane) (i32.const 16)))
      (local.set $number (i32.add (local.get $number) (i32.const 128)))
      (br_if $blocks (i32.lt_u (local.get $number) (local.get $end))))

    (local.set $sum0 (i32x4.add
      (i32x4.add (local.get $sum0) (i32x4.shr_s (local.get $sum1) (i32.const 1)))
      (i32x4.add
        (i32x4.shr_s (local.get $sum2) (i32.const 2))
        (i32x4.shr_s (local.get $sum3) (i32.const 3)))))
    (i32.add
      (i32.add
        (i32x4.extract_lane 0 (local.get $sum0))
        (i32x4.extract_lane 1 (local.get $sum0)))
      (i32.add
        (i32x4.extract_lane 2 (local.get $sum0))
        (i32x4.extract_lane 3 (local.get $sum0))))))
