;; Compares bit planes of codes with the signed bytes of a question. README.md explains how it is
;; used.
(module
  (import "host" "memory" (memory 1))

  ;; For each code: the sum of the question's 1,536 numbers whose bit is set in the plane.
  (func (export "compare")
    (param $addresses i32) ;; address of the list of code addresses, 4 bytes each
    (param $count i32)     ;; number of codes, at least 1
    (param $offset i32)    ;; of the plane, relative to the address of its code
    (param $question i32)  ;; address of the question: for every 16 bytes of a plane, the 16 numbers for
                           ;; the lowest bits of these bytes, then those for the next bits, ...
    (param $sums i32)      ;; address of the results, 4 bytes each
    (local $plane i32) (local $number i32) (local $end i32) (local $bits v128)
    (local $bit0 v128) (local $bit1 v128) (local $bit2 v128) (local $bit3 v128)
    (local $sum0 v128) (local $sum1 v128) (local $sum2 v128) (local $sum3 v128)

    (local.set $bit0 (i8x16.splat (i32.const 1)))
    (local.set $bit1 (i8x16.splat (i32.const 2)))
    (local.set $bit2 (i8x16.splat (i32.const 4)))
    (local.set $bit3 (i8x16.splat (i32.const 8)))
    (local.set $end (i32.add (local.get $question) (i32.const 1536)))
    (loop $codes
      (local.set $plane (i32.add (i32.load (local.get $addresses)) (local.get $offset)))
      (local.set $number (local.get $question))
      (local.set $sum0 (v128.const i32x4 0 0 0 0))
      (local.set $sum1 (v128.const i32x4 0 0 0 0))
      (local.set $sum2 (v128.const i32x4 0 0 0 0))
      (local.set $sum3 (v128.const i32x4 0 0 0 0))

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
      (i32.store (local.get $sums) (i32.add
        (i32.add
          (i32x4.extract_lane 0 (local.get $sum0))
          (i32x4.extract_lane 1 (local.get $sum0)))
        (i32.add
          (i32x4.extract_lane 2 (local.get $sum0))
          (i32x4.extract_lane 3 (local.get $sum0)))))

      (local.set $addresses (i32.add (local.get $addresses) (i32.const 4)))
      (local.set $sums (i32.add (local.get $sums) (i32.const 4)))
      (br_if $codes (local.tee $count (i32.sub (local.get $count) (i32.const 1)))))))
